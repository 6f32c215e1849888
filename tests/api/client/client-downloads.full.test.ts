import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { createProofroom } from '../../../clients/typescript/source/index.ts'
import { cuttingFetch } from '../../support/clients/unreliable-fetch.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { largeJpeg } from '../../support/uploads/chunked-uploads.ts'

const { api, url } = await sharedService()
const token = api.token ?? ''
const connect = (fetch?: (request: Request) => Promise<Response>) =>
  createProofroom({ baseUrl: url, token, ...(fetch && { fetch }) })

let event: TestEvent
let photoId: number
let original: Buffer<ArrayBuffer>
beforeAll(async () => {
  event = await createEvent(api)
  original = await largeJpeg(1_000_000)
  photoId = (await api.upload(event.id, original, { name: 'Größe 1.jpg' })).body.id
})

test('an original arrives byte by byte, with its name', async () => {
  const { body, ...facts } = await connect().photos.download(event.id, photoId)
  expect(facts).toMatchObject({ sizeBytes: original.length, startsAt: 0, type: 'image/jpeg', filename: 'Größe 1.jpg' })
  expect((await buffer(body)).equals(original)).toBe(true)
})

test('a lost connection is continued where it ended', async () => {
  const { fetch, sent } = cuttingFetch(3, 200_000)
  const { body } = await connect(fetch).photos.download(event.id, photoId)
  expect((await buffer(body)).equals(original)).toBe(true)
  const ranges = sent.map(({ headers }) => headers.get('range'))
  expect(ranges).toEqual([null, 'bytes=200000-', 'bytes=400000-', 'bytes=600000-'])
  // If the connection repeatedly ends without a byte, the stream ends with an error.
  const empty = await connect(cuttingFetch(10, 0).fetch).photos.download(event.id, photoId)
  await expect(buffer(empty.body)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

test('a download continues after a restart, and begins again if the file has changed', async () => {
  const { photos } = connect()
  const { etag } = await photos.download(event.id, photoId)
  const from = { bytes: 400_000, etag: etag ?? '' }
  const rest = await photos.download(event.id, photoId, {}, { from })
  expect([rest.startsAt, rest.sizeBytes]).toEqual([400_000, original.length])
  expect((await buffer(rest.body)).equals(original.subarray(400_000))).toBe(true)
  const other = await photos.download(event.id, photoId, {}, { from: { ...from, etag: '"other"' } })
  expect([other.startsAt, other.sizeBytes]).toEqual([0, original.length])
  await other.body.cancel()
})

test('a preview and a ZIP arrive as files; a photo that does not exist is an error before the stream', async () => {
  const { photos } = connect()
  await expect(photos.download(event.id, 999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const preview = await photos.preview(event.id, photoId, { w: 640 })
  expect((await preview.blob()).type).toMatch(/^image\//)
  const zip = await photos.downloadZip(event.id, { ids: String(photoId) })
  const bytes = await buffer(zip.body)
  expect(bytes.length).toBe(zip.sizeBytes)
  expect(bytes.indexOf(original)).toBeGreaterThan(0)
})
