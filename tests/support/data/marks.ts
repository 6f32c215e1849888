import { expect } from 'vitest'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from './events.ts'
import { readDatabase } from '../database/service-database.ts'
import type { TestClient } from '../clients/test-client.ts'
import type { TestService } from '../service/test-service.ts'

export type MarkableGallery = {
  event: TestEvent
  ids: [number, number]
  guests: [TestClient, TestClient, TestClient]
}

export async function createMarkableGallery(service: TestService, body = {}): Promise<MarkableGallery> {
  const event = await createEvent(service.api, body)
  const ids = await uploadPhotos(service.api, event.id, 2)
  const guests = await Promise.all([1, 2, 3].map(() => enterAsGuest(service, event)))
  return { event, ids, guests } as MarkableGallery
}

/** Returns functions that mark photos of the current gallery, by default its first photo. */
export function createMarking({ api }: TestService, current: () => Pick<MarkableGallery, 'event' | 'ids'>) {
  const firstPhoto = () => current().ids[0]
  const feedbackPath = (id: unknown = firstPhoto(), slug = current().event.slug) =>
    `/api/gallery/${slug}/photos/${id}/feedback`
  const markPath = (id: unknown = firstPhoto(), eventId = current().event.id) =>
    `/api/admin/photos/${eventId}/photos/${id}/mark`
  const give = (guest: TestClient, body: object, id = firstPhoto()) => guest.post(feedbackPath(id), body)

  return {
    feedbackPath,
    markPath,
    give,
    rate: (guest: TestClient, rating: unknown, id?: number) => give(guest, { feedback_type: 'rating', rating }, id),
    label: (guest: TestClient, color_label: unknown, id?: number) =>
      give(guest, { feedback_type: 'color_label', color_label }, id),
    like: (guest: TestClient, id?: number) => give(guest, { feedback_type: 'like' }, id),
    favor: (guest: TestClient, id?: number) => give(guest, { feedback_type: 'favorite' }, id),
    mark: (admin: TestClient, body: unknown, id = firstPhoto()) => admin.put(markPath(id), body),

    read: async (client = api, id = firstPhoto()) =>
      (await client.get(`/api/v1/events/${current().event.id}/photos/${id}`)).body,
    readAsGuest: async (guest: TestClient, id = firstPhoto()) => {
      const { photos } = (await guest.get(`/api/gallery/${current().event.slug}/photos`)).body
      return photos.find((photo: { id: number }) => photo.id === id)
    },
  }
}

export const feedbackResponse = (what: 'created' | 'updated' | 'removed', id: unknown = expect.any(Number)) => ({
  success: true,
  id,
  created: what === 'created',
  updated: what === 'updated',
  removed: what === 'removed',
})

/** The counters of a photo without feedback. */
export const emptyMarks = {
  average_rating: 0,
  feedback_count: 0,
  like_count: 0,
  favorite_count: 0,
  comment_count: 0,
  color_labels: {},
  dominant_color_label: null,
}

const tables = ['feedback', 'photo_marks', 'account_marks']

export const countMarkRows = (service: TestService, column: 'photo_id' | 'event_id', id: number): number[] =>
  readDatabase(service, (stored) =>
    tables.map(
      (table) => stored.prepare(`select count(*) from ${table} where ${column} = ?`).pluck().get(id) as number,
    ),
  )
