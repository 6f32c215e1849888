import { crc32 } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { recordMissingLocations } from '../../../server/downloads/find-photo-location.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { city, createLocatedPicture, readLocationMetadata } from '../../support/media/pictures-with-location.ts'
import { readArchiveDirectory, readArchiveFiles } from '../../support/media/read-archive.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { api, admin } = service

const upload = async (event: TestEvent, bytes: Buffer<ArrayBuffer>, type = 'image/jpeg'): Promise<number> =>
  (await api.upload(event.id, bytes, { type })).body.id

async function downloadEachWay(client: TestClient, { slug }: TestEvent, photoId: number): Promise<Buffer[]> {
  const base = `/api/gallery/${slug}`
  const [photo, download, zip] = await Promise.all(
    [`/photo/${photoId}`, `/download/${photoId}`, '/download-all'].map((path) => client.get(base + path)),
  )
  if (photo?.status !== 200 || download?.status !== 200 || zip?.status !== 200) throw new Error('One was refused')
  const [entry] = readArchiveDirectory((at, length) => zip.bytes.subarray(at, at + length), zip.bytes.length)
  const [zipped = Buffer.alloc(0)] = readArchiveFiles(zip.bytes).values()
  expect(entry?.crc32).toBe(crc32(zipped))
  return [photo.bytes, download.bytes, zipped]
}

const listLocationRows = () =>
  readDatabase(service, (stored) => stored.prepare('select photo_id, content_hash, patches from photo_locations').all())

const deleteLocations = () =>
  changeDatabase(service, (stored) => {
    stored.prepare('delete from photo_locations').run()
  })

describe('an original that contains a location', () => {
  test('reaches guests without the location, with the same bytes and size on each route; not operators', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const event = await createEvent(api)
      const original = await createLocatedPicture(format)
      const photoId = await upload(event, original, `image/${format}`)
      const guest = await enterAsGuest(service, event)
      const [photo = original, ...others] = await downloadEachWay(guest, event, photoId)
      for (const bytes of others) expect(bytes.equals(photo)).toBe(true)
      expect(photo.length).toBe(original.length)
      expect(await readLocationMetadata(original)).toMatchObject({ latitude: [64, 8, 45.67] })
      expect(await readLocationMetadata(photo)).toMatchObject({ make: 'Camera', gps: undefined })
      expect(photo.includes(city)).toBe(false)
      if (format !== 'jpeg') continue
      for (const bytes of await downloadEachWay(admin, event, photoId)) expect(bytes.equals(original)).toBe(true)
      const single = await api.get(`/api/v1/events/${event.id}/photos/${photoId}/download`)
      expect(single.bytes.equals(original)).toBe(true)
      const zip = await api.get(`/api/v1/events/${event.id}/photos/download`)
      expect([...readArchiveFiles(zip.bytes).values()][0]?.equals(original)).toBe(true)
    }
  })

  test('has a separate ETag, and any range is that part of the whole', async () => {
    const event = await createEvent(api)
    const original = await createLocatedPicture('jpeg')
    const photoId = await upload(event, original)
    const guest = await enterAsGuest(service, event)
    const path = `/api/gallery/${event.slug}/download/${photoId}`
    const whole = await guest.get(path)
    const etag = whole.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    expect(etag).not.toBe((await api.get(`/api/v1/events/${event.id}/photos/${photoId}/download`)).headers.get('etag'))
    expect((await guest.get(path, { 'if-none-match': etag })).status).toBe(304)
    expect((await guest.head(path)).headers.get('content-length')).toBe(String(original.length))
    for (let start = 0; start < original.length; start += 293) {
      const { bytes, status } = await guest.get(path, { range: `bytes=${start}-${start + 320}` })
      expect(status).toBe(206)
      expect(bytes.equals(whole.bytes.subarray(start, start + 321))).toBe(true)
    }
  })

  test('reaches guests unchanged if strip_location is off, and is scanned again when it is replaced', async () => {
    const event = await createEvent(api, { strip_location: false })
    const original = await createLocatedPicture('jpeg')
    const photoId = await upload(event, original)
    const guest = await enterAsGuest(service, event)
    for (const bytes of await downloadEachWay(guest, event, photoId)) expect(bytes.equals(original)).toBe(true)
    await api.patch(`/api/v1/events/${event.id}`, { strip_location: true })
    for (const bytes of await downloadEachWay(guest, event, photoId)) expect(bytes.includes(city)).toBe(false)
    const other = await createLocatedPicture('jpeg', { seed: 2 })
    const { body } = await api.upload(event.id, other, { fields: { replaces_photo_id: photoId } })
    expect(body.replaced).toBe(true)
    for (const bytes of await downloadEachWay(guest, event, photoId)) {
      expect([bytes.length, bytes.includes(city)]).toEqual([other.length, false])
    }
  })
})

describe('a photo from before locations were recorded', () => {
  test('is scanned at its first request', async () => {
    const event = await createEvent(api)
    const photoId = await upload(event, await createLocatedPicture('jpeg'))
    const guest = await enterAsGuest(service, event)
    for (const path of [`photo/${photoId}`, 'download-all']) {
      await deleteLocations()
      const { status, bytes } = await guest.get(`/api/gallery/${event.slug}/${path}`)
      expect(status).toBe(200)
      expect(bytes.includes(city)).toBe(false)
      expect(listLocationRows()).toHaveLength(1)
    }
  })

  test('is scanned by the job, once', async () => {
    const event = await createEvent(api)
    for (const seed of [1, 2, 3]) await upload(event, await createLocatedPicture('jpeg', { seed }))
    const before = listLocationRows()
    await deleteLocations()
    await withAppContext(service, recordMissingLocations)
    await vi.waitUntil(() => listLocationRows().length >= 3, 60_000)
    expect(before).toEqual(expect.arrayContaining(listLocationRows().slice(-3)))
    const [first] = listLocationRows() as Array<{ photo_id: number }>
    await changeDatabase(service, (stored) => {
      stored.prepare("update photo_locations set etag = 'kept' where photo_id = ?").run(first?.photo_id)
    })
    await withAppContext(service, recordMissingLocations)
    const etag = readDatabase(service, (stored) =>
      stored.prepare('select etag from photo_locations where photo_id = ?').pluck().get(first?.photo_id),
    )
    expect(etag).toBe('kept')
  })

  test('without a file returns 404 PHOTO_FILE_MISSING, and is left out of the ZIP', async () => {
    const event = await createEvent(api)
    const photoId = await upload(event, await createLocatedPicture('jpeg'))
    const guest = await enterAsGuest(service, event)
    await deleteLocations()
    await getStoredOriginal(service, event.id, photoId).remove()
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photo/${photoId}`), 404, 'PHOTO_FILE_MISSING')
    expectProblem(await guest.get(`/api/gallery/${event.slug}/download-all`), 404, 'NO_PHOTOS')
  })
})

test('a file that cannot be parsed is not sent as an original: 404, and missing from the ZIP', async () => {
  const event = await createEvent(api)
  const original = await createLocatedPicture('jpeg')
  const photoId = await upload(event, original)
  // The file has more segments than any photo, and its full length is recorded.
  const segments = Buffer.concat(Array.from({ length: 3_000 }, () => Buffer.from([0xff, 0xe5, 0, 2])))
  const padded = Buffer.concat([original.subarray(0, 2), segments, original.subarray(2)])
  await changeDatabase(service, (stored) => {
    stored.prepare('update photos set size_bytes = ? where id = ?').run(padded.length, photoId)
    stored.prepare('delete from photo_locations').run()
  })
  await getStoredOriginal(service, event.id, photoId).write(padded)
  const guest = await enterAsGuest(service, event)
  expectProblem(await guest.get(`/api/gallery/${event.slug}/photo/${photoId}`), 404, 'PREVIEW_UNAVAILABLE')
  const { body } = await guest.get(`/api/gallery/${event.slug}/download-estimate`)
  expect(body).toMatchObject({ count: 0, missing: 1 })
})
