import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles, openStoredFile } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api } = service
let event: TestEvent
let guest: TestClient
let bytes: Buffer<ArrayBuffer>
let photo: { id: number; filename: string; size_bytes: number }
beforeAll(async () => {
  event = await createEvent(api)
  bytes = await jpeg({ width: 800, height: 600 })
  photo = (await api.upload(event.id, bytes, { name: 'Zoë 1.jpg' })).body
  guest = await enterAsGuest(service, event)
})

const routes = ['photo', 'thumbnail', 'download']
const mediaPath = (route: string, id = photo.id) => `/api/gallery/${event.slug}/${route}/${id}`

describe.each(routes)('%s/{id}', (route) => {
  const get = (headers: Record<string, string> = {}) => guest.get(mediaPath(route), headers)

  test('is private, revalidated each time, and never sniffed', async () => {
    for (let round = 0; round < 3; round++) {
      const { status, headers } = await get()
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('image/jpeg')
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('last-modified')).toBeNull()
      expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
    }
  })

  test('is 304 without a body for its ETag', async () => {
    const etag = (await get()).headers.get('etag') ?? ''
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get({ 'if-none-match': header })
      expect(answer.status).toBe(304)
      expect(answer.bytes).toHaveLength(0)
      expect(answer.headers.get('etag')).toBe(etag)
      expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('handles HEAD like GET, without the body', async () => {
    const [full, head] = [await get(), await guest.head(mediaPath(route))]
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'content-disposition']) {
      expect(head.headers.get(name)).toBe(full.headers.get(name))
    }
    expect(head.headers.get('content-length')).toBe(String(full.bytes.length))
  })

  test('returns a range', async () => {
    const whole = (await get()).bytes
    const size = whole.length
    const ranges = {
      'bytes=0-9': [0, 10],
      'bytes=10-': [10, size],
      'bytes=-5': [size - 5, size],
      'bytes=5-99999999': [5, size],
    }
    for (const [range, [from = 0, to = 0]] of Object.entries(ranges)) {
      const answer = await get({ range })
      expect(answer.status).toBe(206)
      expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${size}`)
      expect(answer.bytes.equals(whole.subarray(from, to))).toBe(true)
    }
  })

  test('is 416 for a range outside; If-Range with another ETag returns the whole', async () => {
    const { bytes: whole, headers } = await get()
    const outside = await get({ range: `bytes=${whole.length}-` })
    expect(outside.status).toBe(416)
    expect(outside.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
    expect((await get({ range: 'bytes=0-1', 'if-range': headers.get('etag') ?? '' })).status).toBe(206)
  })

  test('of another gallery or of none is 404', async () => {
    const other = await createEvent(api)
    const theirs = (await api.upload(other.id, bytes)).body.id
    for (const id of [theirs, 999_999]) expectProblem(await guest.get(mediaPath(route, id)), 404, 'NOT_FOUND')
  })

  test('takes the Content-Type from the stored extension, never from the client', async () => {
    const png = (await api.upload(event.id, await picture('png'), { name: 'x.html', type: 'image/jpeg' })).body
    await changeDatabase(service, (stored) => {
      stored.prepare("update photos set mime_type = 'text/html', original_filename = 'x.html' where id = ?").run(png.id)
    })
    const { headers } = await guest.get(mediaPath(route, png.id))
    expect(headers.get('content-type')).toBe(route === 'thumbnail' ? 'image/jpeg' : 'image/png')
  })
})

test('original and thumbnail have different ETags, and so have different photos', async () => {
  const other = (await api.upload(event.id, await jpeg({ seed: 3 }))).body.id
  const paths = [mediaPath('photo'), mediaPath('thumbnail'), mediaPath('photo', other), mediaPath('thumbnail', other)]
  const etags = await Promise.all(paths.map(async (path) => (await guest.get(path)).headers.get('etag')))
  expect(new Set(etags).size).toBe(4)
})

test('a download has the name given by the client, RFC 5987', async () => {
  const { headers, bytes: downloaded } = await guest.get(mediaPath('download'))
  expect(headers.get('content-disposition')).toMatch(/^attachment; /)
  expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Zo%C3%AB%201.jpg")
  expect(downloaded.equals(bytes)).toBe(true)
  expect((await guest.get(mediaPath('photo'))).headers.get('content-disposition')).toMatch(/^inline; /)
})

test('a thumbnail is smaller than the photo and has its proportions', async () => {
  const { default: sharp } = await import('sharp')
  const { width, height, format } = await sharp((await guest.get(mediaPath('thumbnail'))).bytes).metadata()
  expect(format).toBe('jpeg')
  expect(width).toBeLessThan(800)
  expect(width / height).toBeCloseTo(800 / 600, 1)
})

test('an original missing in the storage is 404 PHOTO_FILE_MISSING', async () => {
  const lost = (await api.upload(event.id, await jpeg({ seed: 8 }))).body
  const file = (await listStoredFiles(service)).find((path) => path.endsWith(lost.filename)) ?? 'none'
  await openStoredFile(service, file).remove()
  for (const route of ['photo', 'download']) {
    expect((await guest.head(mediaPath(route, lost.id))).status).toBe(404)
    for (const headers of [{}, { range: 'bytes=0-1' }]) {
      const answer = await guest.get(mediaPath(route, lost.id), headers)
      expectProblem(answer, 404, 'PHOTO_FILE_MISSING')
      expect(answer.headers.get('content-disposition')).toBeNull()
      expect(answer.headers.get('etag')).toBeNull()
    }
  }
})

test('files are stored below DATA_DIR/media under generated names, whatever the client called them', async () => {
  await api.upload(event.id, bytes, { name: '../../evil.sh' })
  for (const file of await listStoredFiles(service))
    expect(file).toMatch(/\/\d{13}_[0-9a-f]{8}(_\w+)?\.(jpg|png|webp)$/)
})

test('a cached thumbnail on the fast path has the same response as on the regular path', async () => {
  const comparableHeaders = ({ headers }: { headers: Headers }) => {
    const shown = Object.fromEntries(headers)
    for (const own of ['x-request-id', 'date']) delete shown[own]
    return shown
  }
  // A query string forces the regular path.
  const regularPath = await guest.get(`${mediaPath('thumbnail')}?long=1`)
  await guest.get(mediaPath('thumbnail'))
  const fromMemory = await guest.get(mediaPath('thumbnail'))
  expect(fromMemory.bytes.equals(regularPath.bytes)).toBe(true)
  expect(comparableHeaders(fromMemory)).toEqual(comparableHeaders(regularPath))

  const unchanged = { 'if-none-match': regularPath.headers.get('etag') ?? '' }
  expect((await guest.get(`${mediaPath('thumbnail')}?long=1`, unchanged)).status).toBe(304)
  expect((await guest.get(mediaPath('thumbnail'), unchanged)).status).toBe(304)
})
