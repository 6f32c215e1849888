import { beforeAll, describe, expect, test, vi } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { readArchiveFiles } from '../../support/media/read-archive.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service

const pathOf = ({ slug }: TestEvent, route: string) => `/api/gallery/${slug}/${route}`
const changePhoto = (event: TestEvent, photoId: unknown, body: object) =>
  admin.patch(`/api/admin/photos/${event.id}/photos/${photoId}`, body)
const getEstimate = async (client: TestClient, event: TestEvent, query = '') =>
  (await client.get(pathOf(event, `download-estimate${query}`))).body
const listNames = (bytes: Buffer) => [...readArchiveFiles(bytes).keys()]

describe('the ZIP of a gallery', () => {
  let event: TestEvent
  let ids: number[]
  let guest: TestClient
  beforeAll(async () => {
    event = await createEvent(api, { event_date: '2026-06-13' })
    ids = await uploadPhotos(api, event.id, 5)
    await changePhoto(event, ids[4], { visibility: 'hidden' })
    guest = await enterAsGuest(service, event)
  })

  test('contains the originals that the guest sees, with its exact length, any range, HEAD and 304', {
    tags: 'storage',
  }, async () => {
    const path = pathOf(event, 'download-all')
    const { status, headers, bytes } = await guest.get(path)
    expect(status).toBe(200)
    const etag = headers.get('etag') ?? ''
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename=${event.slug}.zip`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-zip-photos': '4',
      'x-zip-missing': '0',
      'x-zip-withheld': '0',
    })
    const files = readArchiveFiles(bytes)
    expect([...files.keys()]).toEqual(['photo-1.jpg', 'photo-2.jpg', 'photo-3.jpg', 'photo-4.jpg'])
    expect(files.get('photo-2.jpg')?.equals(await jpeg({ seed: 2 }))).toBe(true)
    const counts = { count: 4, ready_count: 4, missing: 0, withheld: 0, video_count: 0 }
    expect(await getEstimate(guest, event)).toEqual({ ...counts, bytes: bytes.length, ready: true, widths: [] })
    for (const [start, end] of [
      [0, 0],
      [10, 400],
      [bytes.length - 30, bytes.length - 1],
    ] as const) {
      const part = await guest.get(path, { range: `bytes=${start}-${end}` })
      expect(part.status).toBe(206)
      expect(part.bytes.equals(bytes.subarray(start, end + 1))).toBe(true)
    }
    const head = await guest.head(path)
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, `${bytes.length}`, 0])
    expect((await guest.get(path, { 'if-none-match': etag })).status).toBe(304)
  })

  test('accepts the filters of the list, and so does the estimate; own picks and a width are in its name', async () => {
    const getName = async (query: string) => {
      const { headers } = await guest.get(pathOf(event, `download-all${query}`))
      return headers.get('content-disposition')?.split('filename=')[1]
    }
    await guest.post(pathOf(event, `photos/${ids[2]}/feedback`), { feedback_type: 'like' })
    const { bytes } = await guest.get(pathOf(event, 'download-all?filter=liked'))
    expect(listNames(bytes)).toEqual(['photo-3.jpg'])
    expect(await getEstimate(guest, event, '?filter=liked')).toMatchObject({ count: 1, bytes: bytes.length })
    expectInvalidField(await guest.get(pathOf(event, 'download-all?filter=hated')), 'filter')
    expect(await getName('?filter=liked')).toBe(`${event.slug}-my-picks.zip`)
    expect(await getName('?filter=liked&w=2560')).toBe(`${event.slug}-my-picks-2560px.zip`)
    expect(await getName('?search=photo')).toBe(`${event.slug}.zip`)
    const { body: category } = await service.admin.post(`/api/admin/categories`, {
      name: 'Final prints',
      event_id: event.id,
    })
    await service.admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { category_id: category.id })
    expect(await getName(`?category_id=${category.id}`)).toBe(`${event.slug}-final-prints.zip`)
    expectProblem(await guest.get(pathOf(event, 'download-all?search=nothing')), 404, 'NO_PHOTOS')
    expect(await getEstimate(guest, event, '?search=nothing')).toMatchObject({ count: 0, bytes: 0, ready: true })
  })

  test('of a selection has the requested photos, by GET and by POST', async () => {
    const wanted = [ids[3], ids[1]]
    const byGet = await guest.get(pathOf(event, `download-selected?ids=${wanted}`))
    expect(listNames(byGet.bytes)).toEqual(['photo-2.jpg', 'photo-4.jpg'])
    expect(await getEstimate(guest, event, `?ids=${wanted}`)).toMatchObject({ count: 2, bytes: byGet.bytes.length })
    const select = (headers = {}) => guest.post(pathOf(event, 'download-selected'), { photo_ids: wanted }, headers)
    const byPost = await select()
    expect([byPost.status, byPost.bytes.equals(byGet.bytes)]).toEqual([200, true])
    const etag = byGet.headers.get('etag') ?? ''
    expect(byPost.headers.get('etag')).toBe(etag)
    const rest = await select({ range: 'bytes=100-', 'if-range': etag })
    expect([rest.status, rest.bytes.equals(byGet.bytes.subarray(100))]).toEqual([206, true])
  })

  test('of hidden, unknown and foreign ids is 400 with their places, all alike; of invalid ids, too', async () => {
    const other = await createEvent(api)
    const [foreign] = await uploadPhotos(api, other.id, 1)
    const wanted = [ids[4], ids[1], 999_999, foreign]
    const answers = [
      await guest.get(pathOf(event, `download-selected?ids=${wanted}`)),
      await guest.get(pathOf(event, `download-estimate?ids=${wanted}`)),
      await guest.post(pathOf(event, 'download-selected'), { photo_ids: wanted }),
    ]
    for (const [index, answer] of answers.entries()) {
      expectProblem(answer, 400, 'INVALID_PHOTO_IDS')
      const field = index === 2 ? 'photo_ids' : 'ids'
      const rest = { message: 'is not the ID of a photo in this list', kind: 'not_a_choice' }
      expect(answer.body.details).toEqual([0, 2, 3].map((place) => ({ path: `${field}.${place}`, ...rest })))
    }
    const many = Array.from({ length: 501 }, (_, index) => index + 1)
    expectProblem(await guest.get(pathOf(event, 'download-selected')), 400, 'INVALID_PHOTO_IDS')
    for (const query of ['ids=', 'ids=1,x', 'ids=0', 'ids=1.5', `ids=${many}`]) {
      expectProblem(await guest.get(pathOf(event, `download-selected?${query}`)), 400, 'INVALID_PHOTO_IDS')
      expectProblem(await guest.get(pathOf(event, `download-estimate?${query}`)), 400, 'INVALID_PHOTO_IDS')
    }
    for (const photo_ids of [[], ['1'], [1.5], many]) {
      expectProblem(await guest.post(pathOf(event, 'download-selected'), { photo_ids }), 400, 'INVALID_PHOTO_IDS')
    }
  })

  test('restarts if a photo was hidden in between, by If-Range', async () => {
    const path = pathOf(event, 'download-all')
    const { bytes: before, headers } = await guest.get(path, { range: 'bytes=0-99' })
    const resume = { range: 'bytes=100-', 'if-range': headers.get('etag') ?? '' }
    expect((await guest.get(path, resume)).status).toBe(206)
    await changePhoto(event, ids[0], { visibility: 'hidden' })
    const { status, bytes } = await guest.get(path, resume)
    expect([status, listNames(bytes)]).toEqual([200, ['photo-2.jpg', 'photo-3.jpg', 'photo-4.jpg']])
    expect(bytes.subarray(0, 100).equals(before)).toBe(false)
    await changePhoto(event, ids[0], { visibility: 'visible' })
  })
})

test('a category that forbids downloads withholds and counts its photos; operators get all', async () => {
  const event = await createEvent(api)
  const [first = 0, second = 0] = await uploadPhotos(api, event.id, 3)
  const proofs = { name: 'Proofs', event_id: event.id, allow_downloads: false }
  const { body: category } = await admin.post('/api/admin/categories', proofs)
  for (const id of [first, second]) await changePhoto(event, id, { category_id: category.id })
  const guest = await enterAsGuest(service, event)
  const { bytes, headers } = await guest.get(pathOf(event, 'download-all'))
  expect([listNames(bytes), headers.get('x-zip-withheld')]).toEqual([['photo-3.jpg'], '2'])
  expect(await getEstimate(guest, event)).toMatchObject({ count: 1, missing: 0, withheld: 2 })
  expectProblem(await guest.get(pathOf(event, `download-selected?ids=${first},${second}`)), 403, 'DOWNLOAD_DISABLED')
  expect(await getEstimate(guest, event, `?ids=${first}`)).toMatchObject({ count: 0, withheld: 1 })
  const operators = await admin.get(pathOf(event, 'download-all'))
  expect(listNames(operators.bytes)).toHaveLength(3)
  expect(operators.headers.get('x-zip-withheld')).toBe('0')
})

test('each guest download counts once from its first byte; HEAD, 304, the estimate and operators do not count', async () => {
  const event = await createEvent(api)
  const [id] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  const countDownloads = async () => (await api.get(`/api/v1/events/${event.id}`)).body.total_downloads
  const path = pathOf(event, 'download-all')
  const single = await guest.get(pathOf(event, `download/${id}`))
  expect(single.bytes.equals(await jpeg({ seed: 1 }))).toBe(true)
  expect(single.headers.get('content-disposition')).toBe('attachment; filename=photo-1.jpg')
  const { headers } = await guest.get(path)
  await guest.get(path, { range: 'bytes=0-9' })
  await guest.get(pathOf(event, `download-selected?ids=${id}`))
  await guest.post(pathOf(event, 'download-selected'), { photo_ids: [id] })
  await vi.waitUntil(async () => (await countDownloads()) === 5, 60_000)
  await guest.head(path)
  await guest.get(path, { range: 'bytes=5-9' })
  await guest.get(path, { 'if-none-match': headers.get('etag') ?? '' })
  await guest.get(pathOf(event, 'download-estimate'))
  await admin.get(path)
  await guest.get(path)
  await vi.waitUntil(async () => (await countDownloads()) > 5, 60_000)
  expect(await countDownloads()).toBe(6)
})
