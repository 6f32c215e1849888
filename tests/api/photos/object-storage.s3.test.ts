import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForTest } from '../../support/service/test-service.ts'
import { bucketBehindProxy, bucketForTest } from '../../support/storage/s3-storage.ts'
import { adminUploadsPath, initUpload, largeJpeg, splitIntoChunks } from '../../support/uploads/chunked-uploads.ts'

const downloadPath = (eventId: number, photoId: number) => `/api/v1/events/${eventId}/photos/${photoId}/download`

describe('with photos in object storage', () => {
  test('a redirect to the store is off unless the operator sets it', { tags: 'nightly' }, async () => {
    const { api } = await serviceForTest({ environment: await bucketForTest() })
    const event = await createEvent(api)
    const [photoId = 0] = await uploadPhotos(api, event.id, 1)
    expect((await api.call('GET', downloadPath(event.id, photoId), { redirect: 'manual' })).status).toBe(200)
  })

  test('if enabled, operators and tokens are redirected to the store for an original, and guests never', async () => {
    const service = await serviceForTest({ environment: { ...(await bucketForTest()), S3_PRESIGNED_REDIRECTS: 'on' } })
    const { api, admin } = service
    const event = await createEvent(api, { strip_location: false })
    const bytes = await jpeg({ seed: 1 })
    const { id } = (await api.upload(event.id, bytes, { name: 'Zoë.JPG' })).body
    const path = downloadPath(event.id, id)

    for (const [client, place] of [
      [api, path],
      [admin, `/api/admin/photos/${event.id}/photos/${id}/download`],
    ] as const) {
      const sent = await client.call('GET', place, { redirect: 'manual' })
      expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
      const file = await fetch(sent.headers.get('location') ?? '')
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
      expect(file.headers.get('content-type')).toBe('image/jpeg')
      expect(file.headers.get('content-disposition')).toContain("filename*=UTF-8''Zo%C3%AB.JPG")
    }
    // Like other clients, fetch keeps the range on a redirect and drops the token.
    const headers = { authorization: `Bearer ${api.token}`, range: 'bytes=10-19' }
    const part = await fetch(service.url + path, { headers })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)

    const head = await api.head(path)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes.length}`])
    const known = { 'if-none-match': head.headers.get('etag') ?? '' }
    expect((await api.call('GET', path, { headers: known, redirect: 'manual' })).status).toBe(304)
    const outside = await api.call('GET', path, { headers: { range: 'bytes=999999-' }, redirect: 'manual' })
    expectProblem(outside, 416, 'RANGE_NOT_SATISFIABLE')
    const smaller = await api.call('GET', `${path}?resolution=20x20`, { redirect: 'manual' })
    expect(smaller.status).toBe(200)

    const guest = await enterAsGuest(service, event)
    for (const request of ['photo', 'download']) {
      const answer = await guest.call('GET', `/api/gallery/${event.slug}/${request}/${id}`, { redirect: 'manual' })
      expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true])
    }
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await api.call('GET', path, { redirect: 'manual' }), 409, 'EVENT_ARCHIVED')
  })

  test('the health page reports disk and storage separately', { tags: 'nightly' }, async () => {
    const { admin } = await serviceForTest({ environment: await bucketForTest() })
    const { items } = (await admin.get('/api/admin/health')).body
    const findItem = (key: string) => items.find((item: { key: string }) => item.key === key)
    expect(findItem('storage')).toMatchObject({ status: 'ok', facts: { kind: 'S3' } })
    expect(findItem('disk')).toMatchObject({ facts: { holds_photos: false } })
    expect(findItem('disk').text).toContain('The photos are in object storage')
  })

  test('an upload with more parts than the store allows is rejected at its start', { tags: 'nightly' }, async () => {
    const { admin, api } = await serviceForTest({
      environment: await bucketForTest(),
      edges: { wrapStorage: (storage) => ({ ...storage, multipart: { ...storage.multipart, maxParts: 2 } }) },
    })
    const event = await createEvent(api)
    const startUpload = (fileSize: number) =>
      admin.post(`${adminUploadsPath(event.id)}/init`, { filename: 'a.jpg', fileSize })
    expect((await startUpload(2 * chunkBytes)).status).toBe(200)
    expectProblem(await startUpload(2 * chunkBytes + 1), 400, 'FILE_TOO_LARGE')
  })
})

describe('while the object store is unreachable', () => {
  async function startBehindProxy() {
    const { proxy, reached } = await bucketBehindProxy()
    return { proxy, ...(await serviceForTest({ environment: reached })) }
  }

  test('requests to it are 503 with Retry-After, health reports it, and all recovers by itself', {
    tags: 'nightly',
  }, async () => {
    const { proxy, admin, api, anonymous } = await startBehindProxy()
    const event = await createEvent(api)
    const [photoId = 0] = await uploadPhotos(api, event.id, 1)
    const file = await largeJpeg(chunkBytes + 5000)
    const upload = await initUpload(admin, adminUploadsPath(event.id), { fileSize: file.length })
    const [first, second] = splitIntoChunks(file)
    if (!first || !second) throw new Error('Two chunks are wanted')
    expect((await upload.chunk(0, first)).status).toBe(200)

    proxy.cut()
    const answers = await Promise.all([
      api.get(downloadPath(event.id, photoId)),
      api.upload(event.id, await jpeg({ seed: 2 })),
      upload.chunk(1, second),
      admin.post(`${adminUploadsPath(event.id)}/init`, { filename: 'b.jpg', fileSize: 10 }),
    ])
    for (const answer of answers) {
      expectProblem(answer, 503, 'UNAVAILABLE')
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    expect((await anonymous.get('/health')).status).toBe(503)
    const { items } = (await admin.get('/api/admin/health')).body
    expect(items.find((item: { key: string }) => item.key === 'storage').status).toBe('fail')
    expect((await api.get(`/api/v1/events/${event.id}/photos`)).body.pagination.total).toBe(1)

    proxy.open()
    expect((await anonymous.get('/health')).status).toBe(200)
    expect((await api.get(downloadPath(event.id, photoId))).status).toBe(200)
    expect((await upload.chunk(1, second)).status).toBe(200)
    proxy.cut()
    expectProblem(await upload.complete(), 503, 'UNAVAILABLE')
    proxy.open()
    const [photo] = (await upload.complete()).body.photos
    const download = await api.get(downloadPath(event.id, photo.id))
    expect(download.bytes.equals(file)).toBe(true)
  })
})
