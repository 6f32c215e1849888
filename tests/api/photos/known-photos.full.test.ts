import { expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const event = await createEvent(api)
const ids = await uploadPhotos(api, event.id, 2)
const known = (hashes: unknown, eventId = event.id) => admin.post(`/api/admin/photos/${eventId}/known`, { hashes })
const loadHash = async (id: number): Promise<string> =>
  (await admin.get(`/api/admin/photos/${event.id}/photo/${id}`)).body.content_hash
const hashes = await Promise.all(ids.map(loadHash))
const unknown = 'f'.repeat(64)

test('returns {known: {hash: photo_id}} for contents of the event', { tags: 'database' }, async () => {
  const again = await api.upload(event.id, await jpeg({ seed: 1 }))
  expect(again.body.content_hash).toBe(hashes[0])
  const { status, body } = await known([...hashes, unknown, ...hashes])
  expect({ status, body }).toEqual({
    status: 200,
    body: { known: { [`${hashes[0]}`]: ids[0], [`${hashes[1]}`]: ids[1] } },
  })
  expect((await known([])).body).toEqual({ known: {} })
  const other = await createEvent(api)
  expect((await known(hashes, other.id)).body, 'of another event').toEqual({ known: {} })
})

test('for sizes it returns those that photos of the event have', async () => {
  const lookUpSizes = (sizes: unknown, eventId = event.id) =>
    admin.post(`/api/admin/photos/${eventId}/known`, { hashes: [], sizes })
  const existingSizes = [(await jpeg({ seed: 1 })).length, (await jpeg({ seed: 2 })).length]
  const sortedSizes = [...new Set(existingSizes)].sort((a, b) => a - b)
  expect((await lookUpSizes([...existingSizes, 1, 2 ** 40, ...existingSizes])).body).toEqual({
    known: {},
    sizes: sortedSizes,
  })
  expect((await lookUpSizes([])).body).toEqual({ known: {}, sizes: [] })
  const other = await createEvent(api)
  expect((await lookUpSizes(existingSizes, other.id)).body).toEqual({ known: {}, sizes: [] })
  for (const rejected of [[0], ['1'], Array(1_001).fill(1), 5])
    expectProblem(await lookUpSizes(rejected), 400, 'VALIDATION_ERROR')
})

test('earlier files of photos that are here are named, except those of an undone replacement', {
  tags: 'database',
}, async () => {
  const own = await createEvent(api)
  const original = await jpeg({ seed: 31, width: 61 })
  const { body: photo } = await api.upload(own.id, original)
  const retouched = await jpeg({ seed: 32, width: 62 })
  await api.upload(own.id, retouched, { fields: { replaces_photo_id: photo.id } })
  const { body: replaced } = await admin.get(`/api/admin/photos/${own.id}/photo/${photo.id}`)
  const [first, second] = [photo.content_hash, replaced.content_hash]
  const sizes = [original.length, retouched.length].sort((a, b) => a - b)
  const ask = async () =>
    (await admin.post(`/api/admin/photos/${own.id}/known`, { hashes: [first, second], sizes })).body
  const here = { known: { [second]: photo.id }, earlier: { [first]: photo.id }, sizes }
  expect(await ask()).toEqual(here)

  // The trash keeps the earlier file for the photo, but the event does not have it.
  await admin.post(`/api/admin/photos/${own.id}/trash`, { photoIds: [photo.id] })
  expect(await ask()).toEqual({ known: {}, sizes: [] })
  await admin.post(`/api/admin/photos/${own.id}/trash/bulk-restore`, { photoIds: [photo.id] })
  expect(await ask()).toEqual(here)

  const undo = await admin.post(`/api/admin/photos/${own.id}/photos/${photo.id}/undo-replacement`, {})
  expect([undo.status, await ask()]).toEqual([200, { known: { [first]: photo.id }, sizes }])
})

test('it accepts up to 1,000 hashes, each of 64 lowercase hex digits', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => index.toString(16).padStart(64, '0'))
  expect((await known([...many.slice(1), `${hashes[1]}`])).body.known).toEqual({ [`${hashes[1]}`]: ids[1] })
  for (const rejected of [[...many, unknown], ['abc'], [hashes[0]?.toUpperCase()], [1], 'abc', null]) {
    expectProblem(await known(rejected), 400, 'VALIDATION_ERROR')
  }
})

test('for names it returns the photos of the event that have them', { tags: 'database' }, async () => {
  const own = await createEvent(api)
  for (const [seed, name] of ['DSC_007.JPG', 'DSC_7.JPG', 'two.jpg', 'TWO.jpg', 'Straße.png'].entries()) {
    await api.upload(own.id, await jpeg({ seed, takenAt: `2026:05:01 10:00:0${seed}` }), { name })
  }
  const { photos: all } = (await api.get(`/api/v1/events/${own.id}/photos?sort=filename`)).body
  const photos = (...listed: string[]) =>
    all
      .filter((one: { source_filename: string }) => listed.includes(one.source_filename))
      .map(({ id, captured_at }: { id: number; captured_at: string }) => ({ id, captured_at }))
  const names = ['dsc_7.jpg', 'dsc_007.tif', 'Two.JPG', 'STRASSE.jpg', 'other.jpg']
  const { body } = await admin.post(`/api/admin/photos/${own.id}/known`, { hashes: [], names })
  expect(body.same_names).toEqual({
    'dsc_7.jpg': { photos: photos('DSC_7.JPG'), is_exact: true },
    'dsc_007.tif': { photos: photos('DSC_007.JPG'), is_exact: false },
    'Two.JPG': { photos: expect.toSatisfy((two) => two.length === 2), is_exact: true },
    'STRASSE.jpg': { photos: photos('Straße.png'), is_exact: false },
  })
  expect(body.same_names['dsc_7.jpg'].photos[0].captured_at).toBe('2026-05-01T10:00:01.000Z')
  const rejected = await admin.post(`/api/admin/photos/${own.id}/known`, { hashes: [], names: Array(1_001).fill('a') })
  expectProblem(rejected, 400, 'VALIDATION_ERROR')
})
