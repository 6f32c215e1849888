import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMarking } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
let event: TestEvent
let ids: [number, number, number]
let ana: TestClient
let ben: TestClient
const marks = createMarking(service, () => ({ event, ids: [ids[0], ids[1]] }))

beforeEach(async () => {
  event = await createEvent(api)
  ids = (await uploadPhotos(api, event.id, 3)) as typeof ids
  ana = await enterAsGuest(service, event)
  ben = await enterAsGuest(service, event)
  await ana.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana', email: 'ana@example.com' })
})

const loadPicks = async () => {
  const { status, body } = await admin.get(`/api/admin/feedback/events/${event.id}/picks`)
  expect(status).toBe(200)
  return body
}
const loadPickers = async () => {
  const { photos, guests } = await loadPicks()
  const guestName = (id: string) => guests.find((guest: { id: string }) => guest.id === id).name ?? 'nobody'
  return Object.fromEntries(
    photos.map((photo: { id: number; picked_by: string[] }) => [photo.id, photo.picked_by.map(guestName).sort()]),
  )
}

describe('the list of picks', () => {
  test('contains all guests and all photos at once', async () => {
    await marks.favor(ana, ids[0])
    await marks.favor(ana, ids[1])
    await marks.favor(ben, ids[1])
    await marks.rate(ben, 4, ids[1])
    await marks.label(ben, 'green', ids[1])
    await marks.mark(admin, { rating: 3 }, ids[1])
    expect(await loadPickers()).toEqual({ [ids[0]]: ['Ana'], [ids[1]]: ['Ana', 'nobody'] })
    const { photos, guests } = await loadPicks()
    expect(photos[1]).toMatchObject({
      id: ids[1],
      favorite_count: 2,
      average_rating: 4,
      color_labels: { green: 1 },
      my_rating: 3,
      width: expect.any(Number),
    })
    expect(guests).toHaveLength(2)
    expect(guests.find(({ name }: { name: string }) => name === 'Ana')).toMatchObject({
      email: 'ana@example.com',
      pick_count: 2,
      favorite_count: 2,
      selection_count: 0,
      handed_in: null,
      last_seen_at: expect.any(String),
    })
  })

  test('uses the favorites, or without any the likes and four stars, and keeps photos that are hidden', async () => {
    await marks.like(ben, ids[0])
    await marks.rate(ben, 4, ids[1])
    await marks.rate(ben, 3, ids[2])
    expect(Object.keys(await loadPickers())).toEqual([ids[0], ids[1]].map(String))
    await marks.favor(ben, ids[2])
    expect(Object.keys(await loadPickers())).toEqual([String(ids[2])])
    await marks.favor(ben, ids[0])
    await ben.post(`/api/gallery/${event.slug}/selection`, {})
    const hide = (photoIds: number[]) =>
      admin.post(`/api/admin/photos/${event.id}/photos/bulk-update`, { photoIds, updates: { visibility: 'hidden' } })
    expect((await hide([ids[0]])).status).toBe(200)
    const { photos, guests } = await loadPicks()
    expect(photos).toMatchObject([
      { id: ids[0], visibility: 'hidden' },
      { id: ids[2], visibility: 'visible' },
    ])
    // Guests without picks are listed.
    expect(guests).toMatchObject([{ pick_count: 2, handed_in: { count: 2, changed_count: 0 } }, { pick_count: 0 }])
    const table = 'format=csv&headers=en&min_pickers=1&mark_source=client'
    const exported = await admin.get(`/api/admin/feedback/events/${event.id}/export?${table}`)
    expect(exported.bytes.toString().match(/^photo.*?jpg,[^,]*/gm)).toEqual([
      'photo-1.jpg,Guest 1',
      'photo-3.jpg,Guest 1',
    ])
    // A guest who sees no favorite submits the photos with likes and four stars.
    await hide([ids[2]])
    expect(Object.keys(await loadPickers())).toEqual(ids.map(String))
    await ben.post(`/api/gallery/${event.slug}/selection`, {})
    const { selections } = (await admin.get(`/api/admin/events/${event.id}/selections`)).body
    expect(selections[0].photo_ids).toEqual([ids[1]])
  })

  test('contains the last selection and the number of changes since', async () => {
    await marks.favor(ana, ids[0])
    await marks.favor(ana, ids[1])
    await ana.post(`/api/gallery/${event.slug}/selection`, { note: 'For the album' })
    const loadLastSelection = async () =>
      (await loadPicks()).guests.find(({ name }: { name: string }) => name === 'Ana').handed_in
    expect(await loadLastSelection()).toMatchObject({
      number: 1,
      count: 2,
      video_count: 0,
      note: 'For the album',
      round: null,
      changed_count: 0,
    })
    await marks.favor(ana, ids[0])
    await marks.favor(ana, ids[2])
    expect(await loadLastSelection()).toMatchObject({ number: 1, count: 2, changed_count: 2 })
  })

  test('follows merged guests', async () => {
    await marks.favor(ana, ids[0])
    await marks.favor(ben, ids[1])
    const { guests } = await loadPicks()
    const [into, from] = ['Ana', null].map((name) => guests.find((one: { name: unknown }) => one.name === name).id)
    await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from, into })
    expect(await loadPickers()).toEqual({ [ids[0]]: ['Ana'], [ids[1]]: ['Ana'] })
  })
})
