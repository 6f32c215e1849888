import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient, TestResponse } from '../../support/clients/test-client.ts'
import { getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { openStoredFile, type StoredFile } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { api, admin } = service
const webp = { accept: 'image/avif,image/webp,*/*;q=0.8' }

type Gallery = { event: TestEvent; guest: TestClient; operator: (path: string) => Promise<TestResponse>; id: number }

async function createGallery(body: Record<string, unknown> = {}, bytes?: Buffer<ArrayBuffer>): Promise<Gallery> {
  const event = await createEvent(api, body)
  const black = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer()
  const { id } = (await api.upload(event.id, bytes ?? Buffer.from(black), { name: 'DSC 1.JPEG' })).body
  const guest = await enterAsGuest(service, event)
  return { event, guest, id, operator: (path) => admin.get(path) }
}

const pathOf = ({ event, id }: Gallery, route: string, query = '') =>
  `/api/gallery/${event.slug}/${route}/${id}${query}`

/** Whether something bright is drawn on the black photo. */
const isMarked = async (bytes: Buffer): Promise<boolean> => ((await sharp(bytes).stats()).channels[0]?.max ?? 0) > 40

describe('photo/{id}?w=', () => {
  let gallery: Gallery
  beforeAll(async () => {
    gallery = await createGallery()
  })

  test.each([
    ['?w=640', 640],
    ['?w=1280', 1280],
    ['?w=1920', 1920],
    ['?w=2560', 2000],
    ['?w=', 1280],
    ['?w=0', 1280],
    ['?w=large', 1280],
    ['?w=640&w=1280', 1280],
  ])('%s is %i wide, JPEG or WebP according to Accept', async (query, width) => {
    for (const [headers, format] of [
      [{}, 'jpeg'],
      [webp, 'webp'],
    ] as const) {
      const { status, headers: sent, bytes } = await gallery.guest.get(pathOf(gallery, 'photo', query), headers)
      expect(status).toBe(200)
      expect(sent.get('content-type')).toBe(`image/${format}`)
      expect(sent.get('vary')).toBe('Accept')
      expect(sent.get('cache-control')).toBe('private, no-cache')
      expect(sent.get('x-content-type-options')).toBe('nosniff')
      expect(sent.get('last-modified')).toBeNull()
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height: width / 2 })
    }
  })

  test('is the same picture for operators, who see no watermark', async () => {
    const seen = await gallery.guest.get(pathOf(gallery, 'photo', '?w=640'))
    const asOperator = await gallery.operator(pathOf(gallery, 'photo', '?w=640'))
    expect(asOperator.bytes.equals(seen.bytes)).toBe(true)
  })

  test('supports 304, HEAD and a range', async () => {
    const path = pathOf(gallery, 'photo', '?w=640')
    const full = await gallery.guest.get(path)
    const etag = full.headers.get('etag') ?? ''
    expect((await gallery.guest.get(path, { 'if-none-match': etag })).status).toBe(304)
    expect((await gallery.guest.head(path)).headers.get('content-length')).toBe(String(full.bytes.length))
    const part = await gallery.guest.get(path, { range: 'bytes=5-9', 'if-range': etag })
    expect(part.status).toBe(206)
    expect(part.bytes.equals(full.bytes.subarray(5, 10))).toBe(true)
  })

  test('is available also if downloads are forbidden', async () => {
    const closed = await createGallery({ allow_downloads: false })
    expect((await closed.guest.get(pathOf(closed, 'photo', '?w=640'))).status).toBe(200)
    expectProblem(await closed.guest.get(pathOf(closed, 'download')), 403, 'DOWNLOAD_DISABLED')
  })

  test('is AVIF if the setting and Accept allow it', async () => {
    await admin.put('/api/admin/settings', { media_avif: true })
    const answer = await gallery.guest.get(pathOf(gallery, 'photo', '?w=640'), webp)
    expect(answer.headers.get('content-type')).toBe('image/avif')
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ format: 'heif', width: 640, height: 320 })
    const other = await gallery.guest.get(pathOf(gallery, 'photo', '?w=640'), { accept: 'image/webp' })
    expect(other.headers.get('content-type')).toBe('image/webp')
    await admin.put('/api/admin/settings', { media_avif: false })
    const off = await gallery.guest.get(pathOf(gallery, 'photo', '?w=640'), webp)
    expect(off.headers.get('content-type')).toBe('image/webp')
  })
})

describe('with a watermark', () => {
  let gallery: Gallery
  beforeAll(async () => {
    gallery = await createGallery({ watermark_downloads: true, watermark_text: 'Ana & Ben' })
  })

  test.each(['photo', 'download'])('%s is the same watermarked JPEG of the full size', async (route) => {
    const { headers, bytes } = await gallery.guest.get(pathOf(gallery, route))
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 2000, height: 1000 })
    expect(await isMarked(bytes)).toBe(true)
    const other = await gallery.guest.get(pathOf(gallery, route === 'photo' ? 'download' : 'photo'))
    expect(other.headers.get('etag')).toBe(headers.get('etag'))
    const name = headers.get('content-disposition')
    if (route === 'download') expect(name).toContain('DSC 1.jpg')
    else expect(name).toBeNull()
  })

  test('every width has it, thumbnails do not', async () => {
    for (const w of [640, 1920]) {
      expect(await isMarked((await gallery.guest.get(pathOf(gallery, 'photo', `?w=${w}`), webp)).bytes)).toBe(true)
    }
    expect(await isMarked((await gallery.guest.get(pathOf(gallery, 'thumbnail'))).bytes)).toBe(false)
  })

  test('operators and integrations get the original and renditions without it', async () => {
    const original = await api.get(`/api/v1/events/${gallery.event.id}/photos/${gallery.id}/download`)
    for (const route of ['photo', 'download']) {
      expect((await gallery.operator(pathOf(gallery, route))).bytes.equals(original.bytes)).toBe(true)
    }
    expect(await isMarked((await gallery.operator(pathOf(gallery, 'photo', '?w=640'))).bytes)).toBe(false)
    const preview = await api.get(`/api/v1/events/${gallery.event.id}/photos/${gallery.id}/preview?w=640`)
    expect(await isMarked(preview.bytes)).toBe(false)
  })

  test('another text, style or opacity gives another picture at once', async () => {
    const path = pathOf(gallery, 'photo', '?w=640')
    const etags = new Set<string | null>()
    const recordEtag = async () => etags.add((await gallery.guest.get(path)).headers.get('etag'))
    await recordEtag()
    await api.patch(`/api/v1/events/${gallery.event.id}`, { watermark_text: 'Другой' })
    await recordEtag()
    await admin.put('/api/admin/settings/watermark', { watermark_style: 'corner' })
    await recordEtag()
    await admin.put('/api/admin/settings/watermark', { watermark_opacity: 90 })
    await recordEtag()
    expect(etags.size).toBe(4)
    await admin.put('/api/admin/settings/watermark', { watermark_style: 'tiled', watermark_opacity: 35 })
  })

  test('the text defaults to that of the settings, the studio or the name of the event', async () => {
    const unnamed = await createGallery({ watermark_downloads: true })
    const seen = async () => {
      const { bytes, headers } = await unnamed.guest.get(pathOf(unnamed, 'photo', '?w=640'))
      expect(await isMarked(bytes)).toBe(true)
      return headers.get('etag')
    }
    const eventEtag = await seen()
    await admin.put('/api/admin/settings', { branding_studio_name: 'Studio' })
    const studioEtag = await seen()
    await admin.put('/api/admin/settings', { watermark_text: 'Proof' })
    expect(new Set([eventEtag, studioEtag, await seen()]).size).toBe(3)
    await admin.put('/api/admin/settings', { branding_studio_name: '', watermark_text: '' })
  })

  test('fifty first requests for the full size create it once', async () => {
    const fresh = await createGallery({ watermark_downloads: true })
    const answers = await Promise.all(Array.from({ length: 50 }, () => fresh.guest.get(pathOf(fresh, 'photo'))))
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('etag')}`)).size).toBe(1)
    const count = readDatabase(service, (stored) =>
      stored.prepare('select count(*) from photo_renditions where photo_id = ?').pluck().get(fresh.id),
    )
    expect(count).toBe(1)
  })

  test('a PNG is a JPEG for guests, with its media type', async () => {
    const png = await createGallery({ watermark_downloads: true }, await picture('png', { width: 800, height: 600 }))
    for (const route of ['photo', 'download']) {
      const { headers, bytes } = await png.guest.get(pathOf(png, route))
      expect(headers.get('content-type')).toBe('image/jpeg')
      expect((await sharp(bytes).metadata()).format).toBe('jpeg')
      if (route === 'download') expect(headers.get('content-disposition')).toContain('.jpg')
    }
  })
})

describe('with a size limit', () => {
  test('the longest edge is within it at any width, and operators get the original', async () => {
    const gallery = await createGallery({ download_max_px: 500 })
    for (const query of ['', '?w=640', '?w=2560']) {
      const { bytes } = await gallery.guest.get(pathOf(gallery, 'photo', query))
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 500, height: 250 })
    }
    expect(await sharp((await gallery.operator(pathOf(gallery, 'photo'))).bytes).metadata()).toMatchObject({
      width: 2000,
    })
  })

  test('a photo within the limit is sent unchanged, unless it is watermarked', async () => {
    const bytes = await jpeg({ width: 400, height: 320, seed: 4 })
    const withinLimit = await createGallery({ download_max_px: 400, strip_location: false }, bytes)
    expect((await withinLimit.guest.get(pathOf(withinLimit, 'download'))).bytes.equals(bytes)).toBe(true)
    const marked = await createGallery({ download_max_px: 400, watermark_downloads: true }, bytes)
    expect((await marked.guest.get(pathOf(marked, 'download'))).bytes.equals(bytes)).toBe(false)
  })

  test('limit and watermark are combined', async () => {
    const gallery = await createGallery({ download_max_px: 700, watermark_downloads: true })
    const { bytes } = await gallery.guest.get(pathOf(gallery, 'download'))
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 700, height: 350 })
    expect(await isMarked(bytes)).toBe(true)
  })
})

describe('what is missing or damaged', () => {
  const thumbnailFile = ({ event, id }: Gallery): StoredFile => {
    const name = readDatabase(service, (stored) =>
      stored.prepare('select thumbnail_filename from photos where id = ?').pluck().get(id),
    )
    return openStoredFile(service, `files/events/${event.id}/thumbnails/${name}`)
  }

  test.each([
    ['missing', (file: StoredFile) => file.remove()],
    ['cut short', (file: StoredFile) => file.resize(10)],
    ['longer', (file: StoredFile) => file.resize(100_000)],
    ['a folder', (file: StoredFile) => file.replaceWithFolder()],
  ])('a thumbnail that is %s is created again', async (_how, damage) => {
    const gallery = await createGallery()
    await damage(thumbnailFile(gallery))
    const answers = await Promise.all(Array.from({ length: 5 }, () => gallery.guest.get(pathOf(gallery, 'thumbnail'))))
    for (const { status, bytes } of answers) {
      expect(status).toBe(200)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 240 })
    }
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  })

  test('returns 404 PHOTO_FILE_MISSING once the original has gone as well', async () => {
    const gallery = await createGallery({ watermark_downloads: true })
    await thumbnailFile(gallery).remove()
    await getStoredOriginal(service, gallery.event.id, gallery.id).remove()
    for (const [route, query] of [
      ['thumbnail', ''],
      ['photo', ''],
      ['photo', '?w=640'],
      ['download', ''],
    ] as const) {
      expectProblem(await gallery.guest.get(pathOf(gallery, route, query)), 404, 'PHOTO_FILE_MISSING')
    }
  })
})
