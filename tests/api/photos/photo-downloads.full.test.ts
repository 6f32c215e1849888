import exifr from 'exifr'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { exifWithLocation, noisyPicture } from '../../support/media/image-files.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { api } = service

/** 1200 × 800 as displayed: stored rotated, with a location and a camera in the EXIF data. */
const original = Buffer.from(
  await noisyPicture(800, 1200).withExif(exifWithLocation).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
)
const name = 'Hochzeit – Zoë & José 新郎.JPG'
let event: TestEvent
let photo: { id: number; filename: string }
beforeAll(async () => {
  event = await createEvent(api)
  photo = (await api.upload(event.id, original, { name })).body
})

const downloadPath = (query = '', id = photo.id, eventId = event.id) =>
  `/api/v1/events/${eventId}/photos/${id}/download${query}`
const download = (query = '', headers: Record<string, string> = {}) => api.get(downloadPath(query), headers)
const downloadName = (headers: Headers): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '')

test('the original is byte-exact, under the name given by the client, RFC 5987', async () => {
  for (const query of ['', '?w=640&watermark=1&resolution=original']) {
    const { status, headers, bytes } = await download(query)
    expect(status).toBe(200)
    expect(bytes.equals(original)).toBe(true)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(original.length),
      'content-disposition': expect.stringMatching(/^attachment; /),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
    expect(downloadName(headers)).toBe(name)
  }
  const { body: png } = await api.upload(event.id, await picture('png'), { name: 'évil.jpg', type: 'image/png' })
  const { headers } = await api.get(downloadPath('', png.id))
  expect([headers.get('content-type'), downloadName(headers)]).toEqual(['image/png', 'évil.png'])
})

test('no rule of the gallery applies to tokens, whose downloads are not counted', async () => {
  await api.patch(`/api/v1/events/${event.id}`, { allow_downloads: false })
  await service.admin.patch(`/api/admin/photos/${event.id}/photos/${photo.id}`, { visibility: 'hidden' })
  expect(await exifr.gps((await download()).bytes)).toMatchObject({ latitude: 51.5 })
  expect((await api.get(`/api/v1/events/${event.id}`)).body.total_downloads).toBe(0)
})

test('a resolution fits the photo into a box, upright and without a location, and never enlarges', async () => {
  const boxes: Array<[box: string, width: number, height: number]> = [
    ['600x600', 600, 400],
    ['16384x100', 150, 100],
    ['1x1', 1, 1],
  ]
  for (const [box, width, height] of boxes) {
    const { status, headers, bytes } = await download(`?resolution=${box}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height })
    expect(await exifr.parse(bytes, { gps: true })).toBeUndefined()
  }
  const unchanged = await download('?resolution=1200x16384')
  expect(unchanged.bytes.equals(original)).toBe(true)
  const { id } = (await api.upload(event.id, await picture('png'), { name: 'Zoë.of.png' })).body
  const png = await api.get(downloadPath('?resolution=30x30', id))
  expect(await sharp(png.bytes).metadata()).toMatchObject({ format: 'png', width: 30, height: 20 })
  expect([png.headers.get('content-type'), downloadName(png.headers)]).toEqual(['image/png', 'Zoë.of.png'])
  for (const invalid of ['', '0x100', '16385x1', 'large', '100x100&resolution=200x200']) {
    expectInvalidField(await download(`?resolution=${invalid}`), 'resolution')
  }
})

test('a smaller picture is not stored, also if the client disconnects', async () => {
  await download('?resolution=100x100', { range: 'bytes=99999999-' })
  const aborted = new AbortController()
  const { body } = await fetch(service.url + downloadPath('?resolution=1100x1100'), {
    headers: { authorization: `Bearer ${api.token}` },
    signal: aborted.signal,
  })
  aborted.abort()
  await body?.cancel().catch(() => undefined)
  const listOthers = async () =>
    (await listStoredFiles(service)).filter(
      (path) => path.startsWith('staging/') || path.includes(`events/${event.id}/renditions`),
    )
  await expect.poll(listOthers).toEqual([])
})

test('a missing or truncated file is 404 PHOTO_FILE_MISSING before a byte is sent', async () => {
  for (const damage of ['remove', 'cut'] as const) {
    const { id } = (await api.upload(event.id, original)).body
    const file = getStoredOriginal(service, event.id, id)
    await (damage === 'cut' ? file.resize(original.length >> 1) : file.remove())
    for (const query of ['', '?resolution=100x100']) {
      const answer = await api.get(downloadPath(query, id), { range: 'bytes=0-9' })
      expectProblem(answer, 404, 'PHOTO_FILE_MISSING')
      for (const header of ['content-disposition', 'etag']) expect(answer.headers.get(header)).toBeNull()
      expect((await api.head(downloadPath(query, id))).status).toBe(404)
    }
  }
  expect((await download('?resolution=100x100')).status).toBe(200)
})

test('the files of an archived event are closed, its records stay open', async () => {
  const archived = await createEvent(api)
  const bytes = await jpeg()
  const { id } = (await api.upload(archived.id, bytes)).body
  const record = `/api/v1/events/${archived.id}/photos/${id}`
  await api.post(`/api/v1/events/${archived.id}/archive`, {})
  const zip = `/api/v1/events/${archived.id}/photos/download`
  for (const path of [`${record}/download`, `${record}/download?resolution=10x10`, `${record}/preview`, zip]) {
    expectProblem(await api.get(path), 409, 'EVENT_ARCHIVED')
  }
  const { photos } = (await api.get(`/api/v1/events/${archived.id}/photos`)).body
  expect((await api.get(record)).body).toEqual(photos[0])
  await api.post(`/api/v1/events/${archived.id}/restore`, {})
  expect((await api.get(`${record}/download`)).bytes.equals(bytes)).toBe(true)
})
