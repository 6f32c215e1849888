import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { openLiveStream } from '../../support/clients/live-events.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { readArchiveFiles } from '../../support/media/read-archive.ts'
import {
  allowVideos,
  clip,
  createGatedFfmpeg,
  encodeWithFfmpeg,
  remux,
  sendVideo,
  uploadVideo,
  type VideoName,
  waitUntilProcessed,
} from '../../support/media/videos.ts'
import { serviceForFile, serviceForTest, type TestService } from '../../support/service/test-service.ts'
import { listStoredFiles, openStoredFile } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { admin, api } = service
let event: TestEvent
let guest: TestClient

beforeAll(async () => {
  await allowVideos(service)
  event = await createEvent(api)
  guest = await enterAsGuest(service, event)
})

const gallery = (path: string) => `/api/gallery/${event.slug}${path}`

async function strongestColor(picture: Buffer): Promise<string> {
  const { channels } = await sharp(picture).stats()
  const means = channels.map(({ mean }) => mean)
  return ['red', 'green', 'blue'][means.indexOf(Math.max(...means))] ?? 'none'
}

const loadThumbnail = async (id: number) => (await guest.get(gallery(`/thumbnail/${id}`))).bytes

describe('a video', () => {
  const kinds: Array<[name: VideoName, ext: string, mimeType: string, options?: string[]]> = [
    ['film.m4v', '.m4v', 'video/mp4'],
    ['film.mov', '.mov', 'video/quicktime'],
    ['film.webm', '.webm', 'video/webm'],
    ['film.avi', '.avi', 'video/x-msvideo', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p']],
  ]

  test.each(kinds)(
    'as %s has a still at 1 second, a size and a duration',
    async (name, ext, mimeType, options = []) => {
      const bytes = await clip(name, { options })
      const id = await uploadVideo(admin, event.id, bytes, { name })
      const record = await waitUntilProcessed(api, event.id, id)
      expect(record).toMatchObject({ processing_status: 'ready', mime_type: mimeType, width: 64, height: 48 })
      expect(record.filename).toMatch(new RegExp(`^\\d+_[0-9a-f]{8}\\${ext}$`))
      expect(record.duration).toBeCloseTo(2, 1)
      expect(await strongestColor(await loadThumbnail(id))).toBe('blue')
      const original = await guest.get(gallery(`/photo/${id}`))
      expect([original.status, original.headers.get('content-type')]).toEqual([200, mimeType])
      expect(original.bytes.equals(bytes)).toBe(true)
    },
  )

  test('has the size that players show: turned, and with its shape of pixels', { tags: 'nightly' }, async () => {
    const rotatedClip = await clip('lying.mov', { size: '96x48' })
    const turned = await remux('turned.mov', rotatedClip, ['-metadata:s:v', 'rotate=90'])
    const oblong = await clip('oblong.mp4', { filter: 'setsar=2/1' })
    for (const [name, bytes, size] of [
      ['turned.mov', turned, { width: 48, height: 96 }],
      ['oblong.mp4', oblong, { width: 128, height: 48 }],
    ] as const) {
      const id = await uploadVideo(admin, event.id, bytes, { name })
      expect(await waitUntilProcessed(api, event.id, id)).toMatchObject(size)
      expect(await sharp(await loadThumbnail(id)).metadata()).toMatchObject(size)
    }
  })

  test('with sound, or in fragments, is read as well', { tags: 'nightly' }, async () => {
    const sound = ['-f', 'lavfi', '-i', 'sine=d=2', '-f', 'lavfi', '-i', 'color=c=blue:s=64x48:r=10:d=2']
    const loud = await encodeWithFfmpeg([...sound, '-pix_fmt', 'yuv420p'], 'mp4')
    const fragments = await clip('fragments.mp4', { options: ['-movflags', 'frag_keyframe+empty_moov'] })
    for (const bytes of [loud, fragments]) {
      const record = await waitUntilProcessed(api, event.id, await uploadVideo(admin, event.id, bytes))
      expect(record).toMatchObject({ processing_status: 'ready', width: 64 })
      expect(record.duration).toBeCloseTo(2, 0)
    }
  })

  test('has the capture time of its metadata, and the type of its content, not of its name', async () => {
    const options = ['-metadata', 'creation_time=2024-05-06T07:08:09Z']
    const id = await uploadVideo(admin, event.id, await clip('dated.mov', { options }), { name: 'film.mp4' })
    const record = await waitUntilProcessed(api, event.id, id)
    expect(record).toMatchObject({ mime_type: 'video/quicktime', original_filename: 'film.mp4' })
    expect([record.filename.split('.')[1], record.captured_at]).toEqual(['mov', '2024-05-06T07:08:09.000Z'])
  })
})

describe('a ready video', () => {
  let id: number
  let bytes: Buffer

  beforeAll(async () => {
    const film = await clip('large.mp4', { size: '1600x900' })
    id = await uploadVideo(admin, event.id, film, { name: 'Größe.mp4' })
    bytes = film
    await waitUntilProcessed(api, event.id, id)
  })

  test('is sent unchanged, whole and in ranges, with the type of its content', async () => {
    for (const [client, path] of [
      [guest, gallery(`/photo/${id}`)],
      [guest, gallery(`/download/${id}`)],
      [api, `/api/v1/events/${event.id}/photos/${id}/download`],
      [admin, `/api/admin/photos/${event.id}/photos/${id}/download`],
    ] as const) {
      const whole = await client.get(path)
      expect([whole.status, whole.headers.get('content-type')], path).toEqual([200, 'video/mp4'])
      expect(whole.bytes.equals(bytes), path).toBe(true)
      const part = await client.get(path, { range: 'bytes=100-1099' })
      expect([part.status, part.headers.get('content-range')], path).toEqual([206, `bytes 100-1099/${bytes.length}`])
      expect(part.bytes.equals(bytes.subarray(100, 1100)), path).toBe(true)
    }
  })

  test('has the name given by the client, and can be played by a browser that opens it directly', async () => {
    const { headers } = await guest.get(gallery(`/download/${id}`))
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp4")
    const shown = (await guest.get(gallery(`/photo/${id}`))).headers
    expect(shown.get('content-disposition')).toMatch(/^inline; .*filename\*=UTF-8''Gr%C3%B6%C3%9Fe\.mp4$/)
    expect(shown.get('content-security-policy')).toContain("media-src 'self'")
  })

  test('has its still in all rendition widths, for guests, operators and tokens', async () => {
    const views = [
      [guest, gallery(`/photo/${id}?w=640`), 640],
      [guest, gallery(`/photo/${id}?w=2560`), 1600],
      [api, `/api/v1/events/${event.id}/photos/${id}/preview`, 1280],
    ] as const
    for (const [client, path, width] of views) {
      const answer = await client.get(path, { accept: 'image/webp,*/*' })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect((await sharp(answer.bytes).metadata()).width).toBe(width)
      expect(await strongestColor(answer.bytes)).toBe('blue')
    }
    const view = await admin.get(`/api/admin/photos/${event.id}/photo/${id}`, { accept: 'image/*' })
    expect([view.status, view.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  test('is not resized, and gets its thumbnail again if it is missing', async () => {
    const path = `/api/v1/events/${event.id}/photos/${id}`
    expectProblem(await api.get(`${path}/download?resolution=100x100`), 404, 'PREVIEW_UNAVAILABLE')
    const { body } = await api.get(path)
    await openStoredFile(service, `files/events/${event.id}/thumbnails/${body.thumbnail_path}`).remove()
    const answer = await admin.get(`/api/admin/photos/${event.id}/thumbnail/${id}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(await strongestColor(answer.bytes)).toBe('blue')
  })

  test('is unchanged in ZIPs, also in a watermarked gallery', async () => {
    const marked = await createEvent(api, { watermark_downloads: true, watermark_text: 'Proof', download_max_px: 320 })
    const visitor = await enterAsGuest(service, marked)
    const bytes = await clip('film.mov', { size: '480x360' })
    const film = await uploadVideo(admin, marked.id, bytes, { name: 'film.mov' })
    await waitUntilProcessed(api, marked.id, film)
    const zip = await visitor.get(`/api/gallery/${marked.slug}/download-all`)
    expect(zip.status).toBe(200)
    expect(readArchiveFiles(zip.bytes).get('film.mov')?.equals(bytes)).toBe(true)
    const alone = await visitor.get(`/api/gallery/${marked.slug}/photo/${film}`)
    expect(alone.bytes.equals(bytes)).toBe(true)
  })

  test('has a play sign in the gallery, and its data in the list', async () => {
    const page = (await guest.get(`/gallery/${event.slug}/${event.share_token}`)).bytes.toString()
    expect(page).toContain(`<a class="photo video" href="?photo=${id}"`)
    expect(page).toContain('<span class="length" aria-hidden="true">0:02</span></a>')
    const alone = (await guest.get(`/gallery/${event.slug}/${event.share_token}?photo=${id}`)).bytes.toString()
    expect(alone).toContain(`<video src="/api/gallery/${event.slug}/photo/${id}" controls`)
    const { body } = await guest.get(gallery('/photos?limit=100'))
    const listed = body.photos.find((photo: { id: number }) => photo.id === id)
    expect(listed).toMatchObject({ media_type: 'video', mime_type: 'video/mp4', width: 1600, height: 900, duration: 2 })
  })
})

describe('a replace', () => {
  test('gives a video a new file, still and size; a delete removes all', async () => {
    const own = await createEvent(api)
    const id = await uploadVideo(admin, own.id, await clip('film.mp4'), { name: 'first.mp4' })
    const before = await waitUntilProcessed(api, own.id, id)
    const longer = await clip('longer.webm', { size: '96x48', colors: [['lime', 3]] })
    const { status, body } = await sendVideo(admin, own.id, longer, { name: 'second.webm', replaces_photo_id: id })
    expect(status).toBe(200)
    // The still may be ready before the response arrives.
    const [{ processing_status, thumbnail_path, width, ...replaced }] = body.photos
    expect(replaced.id).toBe(id)
    const states = [
      ['processing', null, null],
      ['ready', expect.any(String), 96],
    ]
    expect(states).toContainEqual([processing_status, thumbnail_path, width])
    const after = await waitUntilProcessed(api, own.id, id)
    expect(after).toMatchObject({ id, width: 96, mime_type: 'video/webm', source_filename: 'first.mp4' })
    expect(after.uploaded_at).toBe(before.uploaded_at)
    expect(after.duration).toBeCloseTo(3, 1)
    const listDerivedFiles = async () =>
      (await listStoredFiles(service)).filter((path) => new RegExp(`events/${own.id}/(stills|thumbnails)/`).test(path))
    expect(await listDerivedFiles()).toHaveLength(2)
    await admin.delete(`/api/admin/photos/${own.id}/photos/${id}`)
    expect(await listDerivedFiles()).toEqual([])
  })
})

describe('while a video is being processed', () => {
  /** Only the ffmpeg of the test decodes it. */
  const named = { name: 'film.avi' }

  async function startGatedService() {
    const gate = await createGatedFfmpeg()
    const gated = await serviceForTest({ environment: { FFMPEG_PATH: gate.path } })
    await allowVideos(gated)
    return { gate, gated, event: await createEvent(gated.api) }
  }

  test('its picture is 503 PHOTO_PROCESSING, its original is served, operators are notified at the end', async () => {
    const { gate, gated, event } = await startGatedService()
    const visitor = await enterAsGuest(gated, event)
    const film = await clip('film.avi')
    const live = await openLiveStream(gated, event.id)
    const id = await uploadVideo(gated.admin, event.id, film, named)
    const base = `/api/gallery/${event.slug}`
    const pictures = [`/thumbnail/${id}`, `/photo/${id}?w=640`]
    const loadOutline = async () => (await visitor.get(`${base}/outline`)).body.photos
    expect(await loadOutline()).toEqual([[id, null, null]])
    for (const path of pictures) {
      const answer = await visitor.get(base + path)
      expectProblem(answer, 503, 'PHOTO_PROCESSING')
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    expect((await visitor.get(`${base}/photo/${id}`)).bytes.equals(film)).toBe(true)
    const page = (await visitor.get(`/gallery/${event.slug}/${event.share_token}`)).bytes.toString()
    expect(page).not.toContain(`src="${base}/thumbnail/${id}`)
    expect(page).toContain('Video 1 of 1')

    await gate.open()
    const messages = await live.first(2)
    expect(messages.map(({ data }) => [data.did, data.photo_id])).toEqual([
      ['uploaded', id],
      ['processed', id],
    ])
    for (const path of pictures) expect((await visitor.get(base + path)).status).toBe(200)
    expect(await loadOutline()).toEqual([[id, 64, 48]])
  })

  test('it can be hidden, replaced or deleted; nothing of a job for an old file is stored', {
    tags: 'nightly',
  }, async () => {
    for (const operation of ['replace', 'delete'] as const) {
      const { gate, gated, event } = await startGatedService()
      const { admin, api } = gated
      const avi = await clip('film.avi')
      const change = async (id: number) => {
        if (operation === 'delete') return admin.delete(`/api/admin/photos/${event.id}/photos/${id}`)
        const wide = await clip('wide.mov', { size: '96x48' })
        return sendVideo(admin, event.id, wide, { name: 'wide.mov', replaces_photo_id: id })
      }
      const running = await uploadVideo(admin, event.id, avi, named)
      const loadAttempts = () =>
        readDatabase(gated, (stored) => stored.prepare('select attempts from video_jobs').pluck().get())
      await expect.poll(loadAttempts).toBe(1)
      const waiting = await uploadVideo(admin, event.id, avi, named)
      const hidden = await uploadVideo(admin, event.id, avi, named)
      await admin.patch(`/api/admin/photos/${event.id}/photos/${hidden}`, { visibility: 'hidden' })
      for (const id of [running, waiting]) expect((await change(id)).status).toBe(200)
      await gate.open()
      expect(await waitUntilProcessed(api, event.id, hidden)).toMatchObject({
        processing_status: 'ready',
        visibility: 'hidden',
      })
      for (const id of operation === 'replace' ? [running, waiting] : []) {
        expect(await waitUntilProcessed(api, event.id, id)).toMatchObject({ processing_status: 'ready', width: 96 })
      }
      await expect.poll(() => listDerivedFilesOf(gated)).toHaveLength(operation === 'replace' ? 6 : 2)
      expect(readDatabase(gated, (stored) => stored.prepare('select * from video_jobs').all())).toEqual([])
    }
  })
})

const listDerivedFilesOf = async (of: TestService): Promise<string[]> =>
  (await listStoredFiles(of)).filter((path) => /stills|thumbnails|staging/.test(path))

describe('a video with a location', () => {
  const position = '+64.1466-021.9426/'
  const clipWithLocation = () => clip('located.mov', { options: ['-metadata', `location=${position}`] })

  test('reaches guests without it, alone, in ranges and in the ZIP; operators and tokens get it as it is', async () => {
    const own = await createEvent(api)
    const visitor = await enterAsGuest(service, own)
    const film = await clipWithLocation()
    expect(film.includes(position)).toBe(true)
    const id = await uploadVideo(admin, own.id, film, { name: 'located.mov' })
    const base = `/api/gallery/${own.slug}`
    const seen = (await visitor.get(`${base}/photo/${id}`)).bytes
    expect([seen.length, seen.includes(position)]).toEqual([film.length, false])
    const at = film.indexOf(position)
    const part = await visitor.get(`${base}/download/${id}`, { range: `bytes=${at - 20}-${at + 40}` })
    expect(part.bytes.equals(seen.subarray(at - 20, at + 41))).toBe(true)
    const zip = await visitor.get(`${base}/download-all`)
    expect(readArchiveFiles(zip.bytes).get('located.mov')?.equals(seen)).toBe(true)
    expect((await waitUntilProcessed(api, own.id, id)).processing_status).toBe('ready')

    const byToken = await api.get(`/api/v1/events/${own.id}/photos/${id}/download`)
    expect(byToken.bytes.equals(film)).toBe(true)
    const asOperator = await admin.get(`${base}/photo/${id}`)
    expect(asOperator.bytes.equals(film)).toBe(true)
  })

  test('is sent to guests unchanged if the event does not strip locations', async () => {
    const open = await createEvent(api, { strip_location: false })
    const visitor = await enterAsGuest(service, open)
    const film = await clipWithLocation()
    const id = await uploadVideo(admin, open.id, film, { name: 'located.mov' })
    expect((await visitor.get(`/api/gallery/${open.slug}/photo/${id}`)).bytes.equals(film)).toBe(true)
  })
})
