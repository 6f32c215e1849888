import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { api } = service
let event: TestEvent
let guest: TestClient
let bytes: Buffer<ArrayBuffer>
let photo: { id: number; filename: string; size_bytes: number }
beforeAll(async () => {
  event = await createEvent(api)
  bytes = await jpeg({ width: 800, height: 600 })
  photo = (await api.upload(event.id, bytes, { name: '../../Zoë 1.jpg' })).body
  guest = await enterAsGuest(service, event)
})

const routes = ['photo', 'thumbnail', 'download']
const mediaPath = (route: string, id = photo.id) => `/api/gallery/${event.slug}/${route}/${id}`
const withoutOwn = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)))

const apiPath = (path: string) => `/api/v1/events/${event.id}/photos/${photo.id}/${path}`
const adminPath = (path: string) => `/api/admin/photos/${event.id}/${path}`
const allRoutes: Record<string, () => [client: TestClient, path: string]> = {
  ...Object.fromEntries(routes.map((route) => [`${route} for guests`, () => [guest, mediaPath(route)]])),
  'a preview for guests': () => [guest, `${mediaPath('photo')}?w=640`],
  'a preview by token': () => [api, apiPath('preview?w=640')],
  'the download by token': () => [api, apiPath('download')],
  'a smaller download': () => [api, apiPath('download?resolution=300x300')],
  'the photo for operators': () => [service.admin, adminPath(`photo/${photo.id}`)],
  'a thumbnail for operators': () => [service.admin, adminPath(`thumbnail/${photo.id}`)],
  'a preview for operators': () => [service.admin, adminPath(`preview/${photo.id}`)],
  'a download for operators': () => [service.admin, adminPath(`photos/${photo.id}/download`)],
}

test('all media are private, never sniffed, and support HEAD, 304 and ranges', { tags: 'storage' }, async () => {
  for (const [route, find] of Object.entries(allRoutes)) {
    const [client, path] = find()
    const accept = { accept: 'image/*' }
    const get = (headers: Record<string, string> = {}) => client.get(path, { ...accept, ...headers })
    const [full, again, head] = [await get(), await get(), await client.head(path, accept)]
    const { length } = full.bytes
    expect(full.status, route).toBe(200)
    expect(Object.fromEntries(full.headers), route).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[^"]+"$/),
    })
    expect(full.headers.get('last-modified'), route).toBeNull()
    expect(again.bytes.equals(full.bytes), route).toBe(true)
    const expected = [200, 0, withoutOwn(full.headers)]
    expect([head.status, head.bytes.length, withoutOwn(head.headers)], route).toEqual(expected)

    const etag = full.headers.get('etag') ?? ''
    const unchanged = await get({ 'if-none-match': `"other", W/${etag}` })
    expect([unchanged.status, unchanged.bytes.length, unchanged.headers.get('etag')], route).toEqual([304, 0, etag])
    const part = await get({ range: 'bytes=-5', 'if-range': etag })
    const range = `bytes ${length - 5}-${length - 1}/${length}`
    expect([part.status, part.headers.get('content-range')], route).toEqual([206, range])
    expect(part.bytes.equals(full.bytes.subarray(-5)), route).toBe(true)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status, route).toBe(200)
    const outside = await get({ range: `bytes=${length}-` })
    expect([outside.status, outside.headers.get('content-range')], route).toEqual([416, `bytes */${length}`])
  }
})

test('the Content-Type is that of the stored extension, never from the client', async () => {
  const png = (await api.upload(event.id, await picture('png'), { name: 'x.html', type: 'image/jpeg' })).body
  await changeDatabase(service, (stored) => {
    stored.prepare("update photos set mime_type = 'text/html', original_filename = 'x.html' where id = ?").run(png.id)
  })
  for (const route of routes) {
    const { headers } = await guest.get(mediaPath(route, png.id))
    expect(headers.get('content-type')).toBe(route === 'thumbnail' ? 'image/jpeg' : 'image/png')
  }
})

test('a download has the name given by the client; a thumbnail is smaller and has another ETag', async () => {
  const [download, shown, thumbnail] = await Promise.all(
    ['download', 'photo', 'thumbnail'].map((route) => guest.get(mediaPath(route))),
  )
  expect(download?.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''Zo%C3%AB%201\.jpg/)
  expect(shown?.headers.get('content-disposition')).toMatch(/^inline; /)
  expect(download?.bytes.equals(bytes)).toBe(true)
  expect(thumbnail?.headers.get('etag')).not.toBe(shown?.headers.get('etag'))
  expect(await sharp(thumbnail?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 360 })
  for (const file of (await listStoredFiles(service)).filter((path) => path.includes(`events/${event.id}/`))) {
    expect(file).toMatch(/\/\d{13}_[0-9a-f]{8}(_\w+)?\.(jpg|png|webp)$/)
  }
})

test('a missing original, a photo of another gallery and an unknown one are 404', async () => {
  const lost = (await api.upload(event.id, await jpeg({ seed: 8 }))).body.id
  await getStoredOriginal(service, event.id, lost).remove()
  for (const route of ['photo', 'download']) {
    const answer = await guest.get(mediaPath(route, lost), { range: 'bytes=0-1' })
    expectProblem(answer, 404, 'PHOTO_FILE_MISSING')
    for (const name of ['content-disposition', 'etag']) expect(answer.headers.get(name)).toBeNull()
    expect((await guest.head(mediaPath(route, lost))).status).toBe(404)
  }
  const theirs = (await api.upload((await createEvent(api)).id, bytes)).body.id
  for (const route of routes) {
    for (const id of [theirs, 999_999]) expectProblem(await guest.get(mediaPath(route, id)), 404, 'NOT_FOUND')
  }
})

test('a cached thumbnail on the fast path has the same response as on the regular path', async () => {
  // A query string forces the regular path.
  const regularPath = await guest.get(`${mediaPath('thumbnail')}?long=1`)
  await guest.get(mediaPath('thumbnail'))
  const fromMemory = await guest.get(mediaPath('thumbnail'))
  expect(fromMemory.bytes.equals(regularPath.bytes)).toBe(true)
  expect(withoutOwn(fromMemory.headers)).toEqual(withoutOwn(regularPath.headers))
  const unchanged = { 'if-none-match': regularPath.headers.get('etag') ?? '' }
  expect((await guest.get(`${mediaPath('thumbnail')}?long=1`, unchanged)).status).toBe(304)
  expect((await guest.get(mediaPath('thumbnail'), unchanged)).status).toBe(304)
})
