import { expect } from 'vitest'
import { createClient } from '../clients/test-client.ts'
import { loadPhotos } from '../fixtures/imports.ts'
import type { TestService } from '../service/test-service.ts'
import { computeTreeHash } from '../uploads/chunked-versions.ts'
import type { Load } from './load.ts'

/**
 * Asserts that every confirmed upload is stored byte for byte, that every confirmed mark is stored, and that no photo
 * exists twice. More than 10 uploads must be confirmed.
 */
export async function expectNothingLost({ event, files, marks }: Load, service: TestService): Promise<void> {
  const stored = await loadPhotos(service, event.id)
  const hashes = new Map(stored.map(({ id, content_hash }) => [id, content_hash]))
  expect(new Set(hashes.values()).size).toBe(stored.length)
  const done = files.filter(({ id }) => id !== null)
  expect(done.length).toBeGreaterThan(10)
  expect(done.filter(({ id, bytes }) => hashes.get(Number(id)) !== computeTreeHash(bytes))).toEqual([])
  for (const { id, bytes } of done) {
    const { bytes: original } = await service.api.get(`/api/v1/events/${event.id}/photos/${id}/download`)
    expect(original.equals(bytes)).toBe(true)
    const { status } = await service.admin.get(`/api/admin/photos/${event.id}/thumbnail/${id}`)
    expect(status).toBe(200)
  }
  const { body } = await service.api.get(`/api/v1/events/${event.id}`)
  expect(body.photo_count).toBe(stored.length)

  for (const { guest, photoId, rating, isDone } of marks) {
    if (!isDone) continue
    const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
    const { body: own } = await createClient(service.url, guest.token).get(path)
    expect(own.my_feedback.my_rating).toBe(rating)
  }
}
