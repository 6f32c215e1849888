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

  test('has the width of the ladder, but never above the original, JPEG or WebP according to Accept', async () => {
    for (const [query, accepted, width, format] of [
      ['?w=640', {}, 640, 'jpeg'],
      ['?w=640', webp, 640, 'webp'],
      ['?w=2560', {}, 2000, 'jpeg'],
      ['?w=large', webp, 1280, 'webp'],
    ] as const) {
      const { status, headers: sent, bytes } = await gallery.guest.get(pathOf(gallery, 'photo', query), accepted)
      expect(status).toBe(200)
      expect(Object.fromEntries(sent)).toMatchObject({
        'content-type': `image/${format}`,
        vary: 'Accept',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      })
      expect(sent.get('last-modified')).toBeNull()
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height: width / 2 })
    }
  })

  test('supports 304, HEAD and a range, and is the same picture for operators', async () => {
    const path = pathOf(gallery, 'photo', '?w=640')
    const full = await gallery.guest.get(path)
    const etag = full.headers.get('etag') ?? ''
    expect((await gallery.guest.get(path, { 'if-none-match': etag })).status).toBe(304)
    expect((await gallery.guest.head(path)).headers.get('content-length')).toBe(String(full.bytes.length))
    const part = await gallery.guest.get(path, { range: 'bytes=5-9', 'if-range': etag })
    expect([part.status, part.bytes.equals(full.bytes.subarray(5, 10))]).toEqual([206, true])
    expect((await gallery.operator(path)).bytes.equals(full.bytes)).toBe(true)
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

  test('photo and download are the same marked JPEG of full size; every width is marked, thumbnails are not', async () => {
    const [photo, download] = [
      await gallery.guest.get(pathOf(gallery, 'photo')),
      await gallery.guest.get(pathOf(gallery, 'download')),
    ]
    expect(photo.headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(photo.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 2000, height: 1000 })
    expect(await isMarked(photo.bytes)).toBe(true)
    expect([download.bytes.equals(photo.bytes), download.headers.get('etag')]).toEqual([
      true,
      photo.headers.get('etag'),
    ])
    expect(photo.headers.get('content-disposition')).toBeNull()
    expect(download.headers.get('content-disposition')).toContain('DSC 1.jpg')
    expect(await isMarked((await gallery.guest.get(pathOf(gallery, 'photo', '?w=640'), webp)).bytes)).toBe(true)
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

  test('another text, style or opacity gives another picture at once; the text has defaults', {
    tags: 'nightly',
  }, async () => {
    const unnamed = await createGallery({ watermark_downloads: true })
    const change = (body: object) => admin.put('/api/admin/settings', body)
    const etags = new Set<string | null>()
    for (const operation of [
      () => change({ watermark_text: '' }),
      () => change({ branding_studio_name: 'Studio' }),
      () => change({ watermark_text: 'Proof' }),
      () => api.patch(`/api/v1/events/${unnamed.event.id}`, { watermark_text: 'Другой' }),
      () => change({ watermark_style: 'corner' }),
      () => change({ watermark_opacity: 90 }),
    ]) {
      await operation()
      const { bytes, headers } = await unnamed.guest.get(pathOf(unnamed, 'photo', '?w=640'))
      expect(await isMarked(bytes)).toBe(true)
      etags.add(headers.get('etag'))
    }
    expect(etags.size).toBe(6)
    await change({ branding_studio_name: '', watermark_text: '', watermark_style: 'tiled', watermark_opacity: 35 })
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

test('a size limit holds at any width; a photo within it is sent unchanged, unless it is watermarked', async () => {
  const gallery = await createGallery({ download_max_px: 500, strip_location: false })
  for (const query of ['', '?w=640', '?w=2560']) {
    const { bytes } = await gallery.guest.get(pathOf(gallery, 'photo', query))
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 500, height: 250 })
  }
  const small = await jpeg({ width: 500, height: 320, seed: 4 })
  const within = { ...gallery, id: (await api.upload(gallery.event.id, small)).body.id }
  expect((await gallery.guest.get(pathOf(within, 'download'))).bytes.equals(small)).toBe(true)
  await api.patch(`/api/v1/events/${gallery.event.id}`, { watermark_downloads: true })
  expect((await gallery.guest.get(pathOf(within, 'download'))).bytes.equals(small)).toBe(false)
})

test('a thumbnail that is missing or damaged is created again, as long as there is the original', async () => {
  const createWithFile = async () => {
    const gallery = await createGallery({ watermark_downloads: true })
    const name = readDatabase(service, (stored) =>
      stored.prepare('select thumbnail_filename from photos where id = ?').pluck().get(gallery.id),
    )
    return { gallery, file: openStoredFile(service, `files/events/${gallery.event.id}/thumbnails/${name}`) }
  }
  for (const damage of [
    (file: StoredFile) => file.remove(),
    (file: StoredFile) => file.resize(10),
    (file: StoredFile) => file.resize(100_000),
    (file: StoredFile) => file.replaceWithFolder(),
  ]) {
    const { gallery, file } = await createWithFile()
    await damage(file)
    const load = () => gallery.guest.get(pathOf(gallery, 'thumbnail'))
    const answers = await Promise.all([load(), load(), load()])
    for (const { status, bytes } of answers) {
      expect(status).toBe(200)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 240 })
    }
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  }
  const { gallery, file } = await createWithFile()
  await file.remove()
  await getStoredOriginal(service, gallery.event.id, gallery.id).remove()
  for (const [route = '', query] of [['thumbnail'], ['photo'], ['photo', '?w=640'], ['download']]) {
    expectProblem(await gallery.guest.get(pathOf(gallery, route, query)), 404, 'PHOTO_FILE_MISSING')
  }
})
