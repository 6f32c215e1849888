import exifr from 'exifr'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { dropRenditionsOfArchivedEvents } from '../../../server/photos/drop-renditions.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import {
  createQuarteredPicture,
  exifWithLocation,
  noisyPicture,
  readQuarters,
} from '../../support/media/image-files.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles, openStoredFile, type StoredFile } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api, admin } = service
let event: TestEvent
let photoId: number
beforeAll(async () => {
  event = await createEvent(api)
  photoId = await upload(Buffer.from(await noisyPicture(2000, 1000).jpeg().toBuffer()))
})

async function upload(bytes: Buffer<ArrayBuffer>): Promise<number> {
  const { status, body } = await api.upload(event.id, bytes)
  if (status !== 201) throw new Error(`The photo was not uploaded: ${JSON.stringify(body)}`)
  return body.id
}

const webp = { accept: 'image/avif,image/webp,*/*;q=0.8' }
const previewPath = (id = photoId, query = '') => `/api/v1/events/${event.id}/photos/${id}/preview${query}`
const preview = (query = '', headers: Record<string, string> = {}, id = photoId) =>
  api.get(previewPath(id, query), headers)

const renditionFiles = async (): Promise<string[]> =>
  (await listStoredFiles(service)).filter((path) => path.includes(`events/${event.id}/renditions/`))
const renditionRows = (id: number): unknown[] =>
  readDatabase(service, (stored) => stored.prepare('select * from photo_renditions where photo_id = ?').all(id))
const listRenditionFiles = async (id: number): Promise<string[]> => {
  const names = (renditionRows(id) as Array<{ filename: string }>).map(({ filename }) => filename)
  return (await renditionFiles()).filter((path) => names.some((name) => path.endsWith(name)))
}

describe('?w=', () => {
  test.each([
    ['?w=640', 640],
    ['?w=1280', 1280],
    ['?w=1920', 1920],
    ['?w=2560', 2000],
    ['', 1280],
    ['?w=', 1280],
    ['?w=0', 1280],
    ['?w=641', 1280],
    ['?w=-640', 1280],
    ['?w=large', 1280],
    ['?w=640&w=640', 1280],
  ])('%j is %i wide: a rendition width, 1280 for other values, never above the original', async (query, width) => {
    const { status, headers, bytes } = await preview(query)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height: width / 2 })
  })

  test('of a small photo is always one picture of its own size', async () => {
    const id = await upload(await jpeg({ width: 90, height: 60, seed: 5 }))
    const etags = new Set<string | null>()
    for (const w of [640, 1280, 1920, 2560]) {
      const { headers, bytes } = await preview(`?w=${w}`, {}, id)
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 90, height: 60 })
      etags.add(headers.get('etag'))
    }
    expect(etags.size).toBe(1)
    expect(renditionRows(id)).toHaveLength(1)
  })
})

describe('the response', () => {
  test('is WebP if Accept contains it, else JPEG, with a Vary header', async () => {
    for (const [accept, format] of [
      [webp.accept, 'webp'],
      ['image/*,*/*', 'jpeg'],
      ['image/webp;q=0,*/*', 'jpeg'],
    ]) {
      const { headers, bytes } = await preview('?w=640', { accept: accept ?? '' })
      expect(headers.get('content-type')).toBe(`image/${format}`)
      expect(headers.get('vary')).toBe('Accept')
      expect((await sharp(bytes).metadata()).format).toBe(format)
    }
  })

  test('is private, revalidated each time, never sniffed and not a download', async () => {
    const { headers } = await preview()
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('last-modified')).toBeNull()
    expect(headers.get('content-disposition')).toBeNull()
  })

  test('is 304 for its ETag, also for HEAD, and the ETag depends on the bytes', async () => {
    const [asJpeg, asWebp] = [await preview('?w=640'), await preview('?w=640', webp)]
    const etag = asJpeg.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    expect(asWebp.headers.get('etag')).not.toBe(etag)
    const unchanged = await preview('?w=640', { 'if-none-match': etag })
    expect(unchanged.status).toBe(304)
    expect(unchanged.bytes).toHaveLength(0)
    expect(unchanged.headers.get('vary')).toBe('Accept')
    expect((await preview('?w=640', { ...webp, 'if-none-match': etag })).status).toBe(200)
  })

  test('has the headers of GET for HEAD, and a part for a range', async () => {
    const [full, head] = [await preview('?w=640'), await api.head(previewPath(photoId, '?w=640'))]
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary', 'accept-ranges']) {
      expect(head.headers.get(name)).toBe(full.headers.get(name))
    }
    expect(head.bytes).toHaveLength(0)
    const part = await preview('?w=640', { range: 'bytes=10-99', 'if-range': full.headers.get('etag') ?? '' })
    expect(part.status).toBe(206)
    expect(part.bytes.equals(full.bytes.subarray(10, 100))).toBe(true)
    expect((await preview('?w=640', { range: 'bytes=10-99', 'if-range': '"other"' })).status).toBe(200)
  })

  test('is upright, without a location and a camera', async () => {
    const source = await (await createQuarteredPicture(800, 1200, 'GWRB'))
      .withExif(exifWithLocation)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(await exifr.gps(source)).toMatchObject({ latitude: 51.5 })
    const id = await upload(Buffer.from(source))
    for (const headers of [{}, webp]) {
      const { bytes } = await preview('?w=640', headers, id)
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 640, height: 427 })
      expect(await readQuarters(bytes)).toBe('RGBW')
      const { exif, xmp, orientation } = await sharp(bytes).metadata()
      expect({ exif, xmp, orientation }).toEqual({})
    }
  })
})

describe('a rendition', () => {
  test('is created at its first request, once for simultaneous ones, and stored', async () => {
    const id = await upload(Buffer.from(await noisyPicture(1500, 1000).jpeg().toBuffer()))
    expect(await listRenditionFiles(id)).toEqual([])
    const answers = await Promise.all(Array.from({ length: 50 }, () => preview('?w=1280', webp, id)))
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('etag')}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    for (const { bytes } of answers) expect(bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
    const rows = renditionRows(id)
    // The same decode creates the other renditions of this photo: 640, and 1920 with a width of only 1500.
    expect(rows).toHaveLength(3)
    expect(await listRenditionFiles(id)).toHaveLength(3)
    for (const w of [640, 1280, 1920, 2560]) expect((await preview(`?w=${w}`, webp, id)).status).toBe(200)
    expect(renditionRows(id)).toEqual(rows)
  })

  test.each([
    ['missing', (file: StoredFile) => file.remove()],
    ['cut short', (file: StoredFile) => file.resize(10)],
    ['overwritten', (file: StoredFile) => file.write('no picture at all')],
  ])('is created again when it is found %s', async (_how, damage) => {
    const before = await preview('?w=640')
    const [file = ''] = (await listRenditionFiles(photoId)).filter((path) => path.endsWith('_640.jpg'))
    await damage(openStoredFile(service, file))
    const answers = await Promise.all(Array.from({ length: 5 }, () => preview('?w=640')))
    for (const after of answers) {
      expect(after.status).toBe(200)
      expect(after.bytes.equals(before.bytes)).toBe(true)
    }
    expect((await listRenditionFiles(photoId)).filter((path) => path.endsWith('_640.jpg'))).toHaveLength(1)
  })

  test('is created again after a replace, which deletes the old one', async () => {
    const id = await upload(await jpeg({ seed: 31 }))
    const before = await preview('', {}, id)
    const old = await listRenditionFiles(id)
    await api.upload(event.id, await jpeg({ seed: 32 }), { fields: { replaces_photo_id: id } })
    const after = await preview('', { 'if-none-match': before.headers.get('etag') ?? '' }, id)
    expect(after.status).toBe(200)
    expect(after.bytes.equals(before.bytes)).toBe(false)
    const files = await renditionFiles()
    for (const file of old) expect(files).not.toContain(file)
  })

  test('is deleted with the photo', async () => {
    const id = await upload(await jpeg({ seed: 33 }))
    const before = await renditionFiles()
    await preview('', {}, id)
    await preview('', webp, id)
    expect(await renditionFiles()).toHaveLength(before.length + 2)
    await admin.delete(`/api/admin/photos/${event.id}/photos/${id}`)
    expect(await renditionFiles()).toEqual(before)
    expectProblem(await preview('', {}, id), 404, 'NOT_FOUND')
  })

  test('is deleted when the event is archived, which also closes it', async () => {
    const archived = await createEvent(api)
    const { id } = (await api.upload(archived.id, await jpeg({ seed: 34 }))).body
    const path = `/api/v1/events/${archived.id}/photos/${id}/preview`
    const before = await api.get(path)
    await api.post(`/api/v1/events/${archived.id}/archive`, {})
    expectProblem(await api.get(path), 409, 'EVENT_ARCHIVED')
    await withAppContext(service, dropRenditionsOfArchivedEvents)
    expect(renditionRows(id)).toEqual([])
    const files = await listStoredFiles(service)
    expect(files.filter((file) => file.includes(`events/${archived.id}/`)).map((file) => file.split('/')[3])).toEqual([
      'originals',
      'thumbnails',
    ])
    await api.post(`/api/v1/events/${archived.id}/restore`, {})
    expect((await api.get(path)).bytes.equals(before.bytes)).toBe(true)
  })
})

const overwrite = async (file: StoredFile) => file.write(Buffer.alloc((await file.read()).length, 7))

describe('there is no preview', () => {
  const originalFile = (id: number): StoredFile => getStoredOriginal(service, event.id, id)

  test('of a missing original: 404 PHOTO_FILE_MISSING', async () => {
    const id = await upload(await jpeg({ seed: 41 }))
    await originalFile(id).remove()
    expectProblem(await preview('', {}, id), 404, 'PHOTO_FILE_MISSING')
    expect((await api.head(previewPath(id))).status).toBe(404)
  })

  test.each([
    ['cut short', (file: StoredFile) => file.resize(20_000), 'PHOTO_FILE_MISSING'],
    ['emptied', (file: StoredFile) => file.resize(0), 'PHOTO_FILE_MISSING'],
    ['replaced by a folder', (file: StoredFile) => file.replaceWithFolder(), 'PHOTO_FILE_MISSING'],
    ['overwritten to its length', (file: StoredFile) => overwrite(file), 'PREVIEW_UNAVAILABLE'],
  ] as const)('of an original that was %s: 404, and the service keeps running', async (_how, damage, code) => {
    const id = await upload(Buffer.from(await noisyPicture(400, 300).jpeg().toBuffer()))
    await damage(originalFile(id))
    for (let round = 0; round < 2; round++) expectProblem(await preview('', {}, id), 404, code)
    expect(renditionRows(id)).toEqual([])
    expect((await preview('?w=1920', webp)).status).toBe(200)
    expect((await listStoredFiles(service)).filter((path) => path.startsWith('staging/'))).toEqual([])
  })

  test('of a video without a still: 404 PREVIEW_UNAVAILABLE, 503 with Retry-After during processing', async () => {
    const id = await upload(await jpeg({ seed: 42 }))
    const setStatus = (status: string) =>
      changeDatabase(service, (stored) =>
        stored.prepare("update photos set media_type = 'video', processing_status = ? where id = ?").run(status, id),
      )
    await setStatus('processing')
    const answer = await preview('', {}, id)
    expectProblem(answer, 503, 'PHOTO_PROCESSING')
    expect(answer.headers.get('retry-after')).toBe('5')
    for (const status of ['failed', 'ready']) {
      await setStatus(status)
      expectProblem(await preview('', {}, id), 404, 'PREVIEW_UNAVAILABLE')
    }
  })

  test('for another account, or of a photo of another event', async () => {
    const stranger = await createAccount(service, 'admin')
    expectProblem(await stranger.api.get(previewPath()), 403, 'FORBIDDEN')
    const other = await createEvent(api)
    expectProblem(await api.get(`/api/v1/events/${other.id}/photos/${photoId}/preview`), 404, 'NOT_FOUND')
  })
})

test.each(['viewer', 'editor'] as const)('an account of the role %s sees previews of its events', async (role) => {
  const account = await createAccount(service, role)
  await changeDatabase(service, (stored) => {
    stored.prepare('insert into event_members (event_id, user_id) values (?, ?)').run(event.id, account.id)
  })
  expect((await account.api.get(previewPath())).status).toBe(200)
})
