import { beforeAll, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { changeDatabase, getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { readArchiveDirectory, readArchiveFiles } from '../../support/media/read-archive.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api } = service

const archivePath = ({ id }: { id: number }, query = '') => `/api/v1/events/${id}/photos/download${query}`
const uploadNamed = async (event: TestEvent, name: string, seed: number) => {
  const bytes = await jpeg({ seed })
  const { body } = await api.upload(event.id, bytes, { name })
  return { id: body.id as number, bytes }
}

let event: TestEvent
let photos: Array<{ id: number; bytes: Buffer }>
const get = (headers: Record<string, string> = {}) => api.get(archivePath(event), headers)
beforeAll(async () => {
  event = await createEvent(api, { event_name: 'Zoë & Ben', event_date: '2026-06-13' })
  photos = []
  for (const [index, name] of ['Zoë – 新娘.jpg', 'a.jpg', 'A.JPG', 'a.html'].entries()) {
    photos.push(await uploadNamed(event, name, index + 1))
  }
  const captured_at = Date.UTC(2026, 5, 13, 14, 30, 20)
  await changeDatabase(service, (stored) => {
    stored.prepare('update photos set captured_at = ? where id = ?').run(captured_at, photos[0]?.id)
  })
})

test('a ZIP has the originals in list order, a duplicate name gets _1, and times are those of capture or upload', async () => {
  const { bytes } = await get()
  const files = readArchiveFiles(bytes)
  expect([...files.keys()]).toEqual(['Zoë – 新娘.jpg', 'a.jpg', 'A_1.JPG', 'a_2.jpg'])
  expect([...files.values()]).toEqual(photos.map((photo) => photo.bytes))
  const [first, second] = readArchiveDirectory((at, length) => bytes.subarray(at, at + length), bytes.length)
  expect(first?.modifiedAt).toBe('2026-06-13T14:30:20')
  expect(second?.modifiedAt.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
})

test('it has its exact length and an ETag; HEAD, 304 and ranges work', async () => {
  const { status, headers, bytes: whole } = await get()
  const etag = headers.get('etag') ?? ''
  const size = whole.length
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(size),
    'content-disposition': `attachment; filename=${event.slug}.zip`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'x-zip-photos': '4',
    'x-zip-missing': '0',
    etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
  })
  expect(headers.get('last-modified')).toBeNull()
  const head = await api.head(archivePath(event))
  const withoutOwn = (all: Headers) =>
    Object.fromEntries([...all].filter(([name]) => !['x-request-id', 'date'].includes(name)))
  expect([head.status, head.bytes.length, withoutOwn(head.headers)]).toEqual([200, 0, withoutOwn(headers)])
  const unchanged = await get({ 'if-none-match': etag })
  expect([unchanged.status, unchanged.bytes.length, unchanged.headers.get('etag')]).toEqual([304, 0, etag])
  const ranges: Array<[string, number, number]> = [
    ['bytes=0-0', 0, 1],
    [`bytes=${size >> 1}-`, size >> 1, size],
    ['bytes=-22', size - 22, size],
    [`bytes=${size - 1}-99999999`, size - 1, size],
  ]
  for (const [range, start, end] of ranges) {
    const answer = await get({ range, 'if-range': etag })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${size}`])
    expect(answer.bytes.equals(whole.subarray(start, end))).toBe(true)
  }
  expectProblem(await get({ range: `bytes=${size}-` }), 416, 'RANGE_NOT_SATISFIABLE')
  const other = await get({ range: 'bytes=1000-', 'if-range': '"of before"' })
  expect([other.status, other.bytes.equals(whole)]).toEqual([200, true])
})

test('its ETag changes when any of its bytes changes; hidden photos are included, and it is not counted', async () => {
  const changing = await createEvent(api)
  const [id = 0] = await uploadPhotos(api, changing.id, 2)
  const etags = new Set<string | null>()
  const note = async () => etags.add((await api.head(archivePath(changing))).headers.get('etag'))
  await note()
  await api.upload(changing.id, await jpeg({ seed: 77 }), { fields: { replaces_photo_id: id } })
  await note()
  await uploadPhotos(api, changing.id, 1)
  await note()
  await changeDatabase(service, (stored) => {
    stored.prepare("update photos set original_filename = 'another.jpg' where id = ?").run(id)
  })
  await note()
  expect(etags.size).toBe(4)
  await service.admin.patch(`/api/admin/photos/${changing.id}/photos/${id}`, { visibility: 'hidden' })
  expect((await api.get(archivePath(changing))).headers.get('x-zip-photos')).toBe('3')
  expect((await api.get(`/api/v1/events/${changing.id}`)).body.total_downloads).toBe(0)
})

test('a photo whose original is missing is listed in MISSING_FILES.txt and counted; the ETag changes', async () => {
  const event = await createEvent(api)
  const lost = await uploadNamed(event, 'Lost – ß.jpg', 1)
  const short = await uploadNamed(event, 'short.jpg', 2)
  await uploadNamed(event, 'MISSING_FILES.txt', 3)
  const before = await api.head(archivePath(event))
  await getStoredOriginal(service, event.id, lost.id).remove()
  expectProblem(await api.get(archivePath(event, `?ids=${lost.id}`)), 404, 'NO_PHOTOS')
  await getStoredOriginal(service, event.id, short.id).resize(100)
  const { headers, bytes } = await api.get(archivePath(event))
  expect([headers.get('x-zip-photos'), headers.get('x-zip-missing')]).toEqual(['1', '2'])
  expect(headers.get('etag')).not.toBe(before.headers.get('etag'))
  const files = readArchiveFiles(bytes)
  expect([...files.keys()]).toEqual(['MISSING_FILES.txt', 'MISSING_FILES.jpg'])
  const [missingFilesText, blank, ...names] = files.get('MISSING_FILES.txt')?.toString().split('\n') ?? []
  expect(missingFilesText).toMatch(/^\S.*missing/)
  expect([blank, ...names]).toEqual(['', 'Lost – ß.jpg', 'short.jpg', ''])
})

test('ids choose at most 500 photos of the event; other ids are named', async () => {
  const ids = photos.map(({ id }) => id)
  const listNames = async (query: string) => [
    ...readArchiveFiles((await api.get(archivePath(event, query))).bytes).keys(),
  ]
  const [first = '', second = '', third = '', fourth = ''] = await listNames('')
  expect(await listNames(`?ids=${ids[2]},${ids[0]},${ids[2]}`)).toEqual([first, 'A.JPG'])
  expect(await listNames(`?ids=${Array(500).fill(ids[0]).join()}`)).toEqual([first])
  const [theirs] = await uploadPhotos(api, (await createEvent(api)).id, 1)
  const { body } = await api.get(archivePath(event, `?ids=${ids[1]},${theirs},${ids[1]},999999999`))
  expect(body).toMatchObject({ code: 'INVALID_PHOTO_IDS', details: [{ path: 'ids.1' }, { path: 'ids.3' }] })
  const invalid = ['', ',', '1,', '1,b', '0', '-1', '1.5', '9007199254740992', Array(501).fill(ids[0]).join()]
  for (const text of invalid) {
    expectProblem(await api.get(archivePath(event, `?ids=${text}`)), 400, 'INVALID_PHOTO_IDS')
  }

  const mark = (id: number | undefined, body: object) =>
    service.admin.put(`/api/admin/photos/${event.id}/photos/${id}/mark`, body)
  await mark(ids[1], { rating: 4 })
  await mark(ids[2], { rating: 5, color_label: 'blue' })
  expect(await listNames('?my_min_rating=4')).toEqual([second, third])
  expect(await listNames('?marked_only=true&mark_source=client&my_min_rating=5&logic=OR')).toEqual(['A.JPG'])
  expect(await listNames(`?my_min_rating=4&ids=${ids[0]},${ids[1]}`)).toEqual([second])
  expect(await listNames('?color_labels=all&min_rating=0')).toEqual([first, second, third, fourth])
  expectProblem(await api.get(archivePath(event, '?min_rating=1')), 404, 'NO_PHOTOS')
  expectInvalidField(await api.get(archivePath(event, '?color_labels=pink')), 'color_labels')
})

test('originals are found among many thousands of missing ones; without any, the ZIP is 404', async () => {
  const large = await createEvent(api)
  expectProblem(await api.get(archivePath(large), { range: 'bytes=0-10' }), 404, 'NO_PHOTOS')
  const rows = Array.from({ length: 20_500 }, (_, index) => ({
    uploadedAt: 1_700_000_000_000 + (index >> 2),
    visibility: 'visible' as const,
  }))
  await addPhotoRows(service, large.id, rows)
  await uploadPhotos(api, large.id, 1)
  const { headers, bytes } = await api.get(archivePath(large))
  expect([headers.get('x-zip-photos'), headers.get('x-zip-missing')]).toEqual(['1', '20500'])
  const lines = readArchiveFiles(bytes).get('MISSING_FILES.txt')?.toString().trim().split('\n')
  expect(lines?.slice(2)).toHaveLength(20_500)
})
