import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { openLiveStream } from '../../support/clients/live-events.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
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
import { adminUploadsPath } from '../../support/uploads/chunked-uploads.ts'

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
    ['film.mp4', '.mp4', 'video/mp4'],
    ['film.m4v', '.m4v', 'video/mp4'],
    ['film.mov', '.mov', 'video/quicktime'],
    ['film.webm', '.webm', 'video/webm'],
    ['film.avi', '.avi', 'video/x-msvideo', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p']],
  ]

  test.each(kinds)(
    'as %s is accepted, and has a still at 1 second, a size and a duration',
    async (name, ext, mimeType, options = []) => {
      const bytes = await clip(name, { options })
      const { status, body } = await sendVideo(admin, event.id, bytes, { name })
      expect(status).toBe(200)
      const [video] = body.photos
      expect(video).toMatchObject({ media_type: 'video', mime_type: mimeType, original_filename: name, width: null })
      expect(video).toMatchObject({ processing_status: 'processing', size_bytes: bytes.length })
      expect(video.filename).toMatch(new RegExp(`^\\d+_[0-9a-f]{8}\\${ext}$`))

      const record = await waitUntilProcessed(api, event.id, video.id)
      expect(record).toMatchObject({ processing_status: 'ready', processing_error: null, width: 64, height: 48 })
      expect(record.duration).toBeCloseTo(2, 1)
      expect(record.thumbhash).toMatch(/\S/)
      expect(record.thumbnail_path).toMatch(/\.jpg$/)
      const thumbnail = await guest.get(gallery(`/thumbnail/${video.id}`))
      expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(await strongestColor(thumbnail.bytes)).toBe('blue')

      const original = await guest.get(gallery(`/photo/${video.id}`))
      expect([original.status, original.headers.get('content-type')]).toEqual([200, mimeType])
      expect(original.headers.get('x-content-type-options')).toBe('nosniff')
      expect(original.bytes.equals(bytes)).toBe(true)
    },
  )

  test('shorter than a second uses its last picture', async () => {
    for (const name of ['short.mp4', 'short.webm'] as const) {
      const colors = [
        ['red', 0.4],
        ['lime', 0.1],
      ] as const
      const id = await uploadVideo(admin, event.id, await clip(name, { colors }), { name })
      const record = await waitUntilProcessed(api, event.id, id)
      expect(record).toMatchObject({ processing_status: 'ready', width: 64, height: 48 })
      expect(record.duration).toBeLessThan(0.7)
      expect(await strongestColor(await loadThumbnail(id))).toBe('green')
    }
  })

  test('filmed upright has the size and the still of an upright one', async () => {
    const rotatedClip = await clip('lying.mov', { size: '96x48' })
    const turned = await remux('turned.mov', rotatedClip, ['-metadata:s:v', 'rotate=90'])
    const id = await uploadVideo(admin, event.id, turned, { name: 'turned.mov' })
    expect(await waitUntilProcessed(api, event.id, id)).toMatchObject({ width: 48, height: 96 })
    expect(await sharp(await loadThumbnail(id)).metadata()).toMatchObject({ width: 48, height: 96 })
  })

  test('with non-square pixels has its displayed size', async () => {
    const id = await uploadVideo(admin, event.id, await clip('oblong.mp4', { filter: 'setsar=2/1' }))
    expect(await waitUntilProcessed(api, event.id, id)).toMatchObject({ width: 128, height: 48 })
    expect(await sharp(await loadThumbnail(id)).metadata()).toMatchObject({ width: 128, height: 48 })
  })

  test('with sound, in fragments or without its duration is read as well', async () => {
    const sound = ['-f', 'lavfi', '-i', 'sine=d=2', '-f', 'lavfi', '-i', 'color=c=blue:s=64x48:r=10:d=2']
    const clipWithSound = await encodeWithFfmpeg([...sound, '-pix_fmt', 'yuv420p'], 'mp4')
    const fragments = await clip('fragments.mp4', { options: ['-movflags', 'frag_keyframe+empty_moov'] })
    const streamed = await clip('streamed.webm', { options: ['-live', '1'] })
    for (const [name, bytes] of Object.entries({
      'loud.mp4': clipWithSound,
      'fragments.mp4': fragments,
      'streamed.webm': streamed,
    })) {
      const record = await waitUntilProcessed(api, event.id, await uploadVideo(admin, event.id, bytes, { name }))
      expect(record).toMatchObject({ processing_status: 'ready', width: 64 })
      expect(record.duration).toBeCloseTo(2, 0)
    }
  })

  test('has the capture time if the camera clock was set', async () => {
    const loadCaptureTime = async (...metadata: string[]) => {
      const options = ['-movflags', 'use_metadata_tags', ...metadata.flatMap((one) => ['-metadata', one])]
      const id = await uploadVideo(admin, event.id, await clip('dated.mp4', { options }))
      return (await waitUntilProcessed(api, event.id, id)).captured_at
    }
    expect(await loadCaptureTime('creation_time=2024-05-06T07:08:09Z')).toBe('2024-05-06T07:08:09.000Z')
    expect(await loadCaptureTime('creation_time=1975-01-01T00:00:00Z')).toBeNull()
    expect(await loadCaptureTime('creation_time=2039-01-01T00:00:00Z')).toBeNull()
    expect(
      await loadCaptureTime(
        'creation_time=2024-05-06T07:08:09Z',
        'com.apple.quicktime.creationdate=2023-01-02T03:04:05+0200',
      ),
    ).toBe('2023-01-02T01:04:05.000Z')
  })

  test('has type and extension of its content, not of its name', async () => {
    const id = await uploadVideo(admin, event.id, await clip('film.mov'), { name: 'film.mp4' })
    const record = await waitUntilProcessed(api, event.id, id)
    expect(record).toMatchObject({ mime_type: 'video/quicktime', original_filename: 'film.mp4' })
    expect(record.filename).toMatch(/\.mov$/)
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

  const originals = () =>
    [
      ['photo/{id} for guests', guest, gallery(`/photo/${id}`)],
      ['download/{id} for guests', guest, gallery(`/download/${id}`)],
      ['the download by token', api, `/api/v1/events/${event.id}/photos/${id}/download`],
      ['the download for operators', admin, `/api/admin/photos/${event.id}/photos/${id}/download`],
    ] as const

  test('is sent unchanged, whole and in ranges, with the type of its content', async () => {
    for (const [way, client, path] of originals()) {
      const whole = await client.get(path)
      const seen = [whole.status, whole.headers.get('content-type'), whole.headers.get('x-content-type-options')]
      expect(seen, way).toEqual([200, 'video/mp4', 'nosniff'])
      expect(whole.bytes.equals(bytes), way).toBe(true)
      expect(whole.headers.get('accept-ranges'), way).toBe('bytes')

      const part = await client.get(path, { range: 'bytes=100-1099' })
      expect([part.status, part.headers.get('content-range')], way).toEqual([206, `bytes 100-1099/${bytes.length}`])
      expect(part.bytes.equals(bytes.subarray(100, 1100)), way).toBe(true)
      const end = await client.get(path, { range: 'bytes=-10' })
      expect(end.bytes.equals(bytes.subarray(-10)), way).toBe(true)
      expectProblem(await client.get(path, { range: `bytes=${bytes.length}-` }), 416, 'RANGE_NOT_SATISFIABLE')
      const etag = whole.headers.get('etag') ?? ''
      expect((await client.get(path, { 'if-none-match': etag })).status, way).toBe(304)
      const head = await client.head(path)
      expect([head.status, head.headers.get('content-length')], way).toEqual([200, String(bytes.length)])
    }
  })

  test('is downloaded under the name given by the client', async () => {
    const { headers } = await guest.get(gallery(`/download/${id}`))
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp4")
    const shown = (await guest.get(gallery(`/photo/${id}`))).headers.get('content-disposition')
    expect(shown).toMatch(/^inline; .*filename\*=UTF-8''Gr%C3%B6%C3%9Fe\.mp4$/)
  })

  test('can be played by a browser that opens it directly', async () => {
    const { headers } = await guest.get(gallery(`/photo/${id}`))
    expect(headers.get('content-security-policy')).toContain("media-src 'self'")
  })

  test('has its still in all rendition widths, for guests, operators and tokens', async () => {
    const views = [
      [guest, gallery(`/photo/${id}?w=640`), 640],
      [guest, gallery(`/photo/${id}?w=2560`), 1600],
      [api, `/api/v1/events/${event.id}/photos/${id}/preview`, 1280],
      [admin, `/api/admin/photos/${event.id}/preview/${id}?w=640`, 640],
    ] as const
    for (const [client, path, width] of views) {
      const answer = await client.get(path, { accept: 'image/webp,*/*' })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect((await sharp(answer.bytes).metadata()).width).toBe(width)
      expect(await strongestColor(answer.bytes)).toBe('blue')
    }
    const view = await admin.get(`/api/admin/photos/${event.id}/photo/${id}`, { accept: 'image/*' })
    expect([view.status, view.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect((await sharp(view.bytes).metadata()).width).toBe(1600)
  })

  test('is not resized: a download into a box is 404 PREVIEW_UNAVAILABLE', async () => {
    const path = `/api/v1/events/${event.id}/photos/${id}/download?resolution=100x100`
    expectProblem(await api.get(path), 404, 'PREVIEW_UNAVAILABLE')
  })

  test('gets its thumbnail again if it is missing', async () => {
    const { body } = await api.get(`/api/v1/events/${event.id}/photos/${id}`)
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

  test('is 404 for guests everywhere while it is hidden', async () => {
    const secret = await uploadVideo(admin, event.id, await clip('film.avi'), { name: 'film.avi' })
    await waitUntilProcessed(api, event.id, secret)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${secret}`, { visibility: 'hidden' })
    for (const path of [`/photo/${secret}`, `/photo/${secret}?w=640`, `/thumbnail/${secret}`, `/download/${secret}`]) {
      expectProblem(await guest.get(gallery(path)), 404, 'NOT_FOUND')
    }
  })

  test('is deleted with its still and its thumbnail', async () => {
    const other = await createEvent(api)
    const gone = await uploadVideo(admin, other.id, await clip('film.mp4'))
    await waitUntilProcessed(api, other.id, gone)
    const listDerivedFiles = async () =>
      (await listStoredFiles(service)).filter((path) =>
        new RegExp(`events/${other.id}/(stills|thumbnails)/`).test(path),
      )
    expect(await listDerivedFiles()).toHaveLength(2)
    await admin.delete(`/api/admin/photos/${other.id}/photos/${gone}`)
    expect(await listDerivedFiles()).toEqual([])
  })
})

describe('a video is accepted', () => {
  test('only if its type is allowed; by default none is', async () => {
    const strict = await serviceForTest()
    const { id } = await createEvent(strict.api)
    const film = await clip('film.mp4')
    const init = { filename: 'film.mp4', fileSize: film.length }
    const rejected = await strict.admin.post(`${adminUploadsPath(id)}/init`, init)
    expect([rejected.status, rejected.body.error]).toEqual([400, 'File type not allowed'])
    await allowVideos(strict, 'jpg,mp4')
    expectProblem(await sendVideo(strict.admin, id, await clip('film.mov')), 415, 'FILE_TYPE_NOT_ALLOWED')
    expect((await sendVideo(strict.admin, id, await clip('film.m4v'))).status).toBe(200)
    for (const types of ['jpg,heic', 'jpg,mkv', 'mp4;mov']) {
      expectProblem(
        await strict.admin.put('/api/admin/settings', { general_allowed_file_types: types }),
        400,
        'VALIDATION_ERROR',
      )
    }
  })

  test('only by chunked upload: multipart uploads are for images', async () => {
    const film = await clip('film.mp4')
    const declared = await api.upload(event.id, film, { name: 'film.mp4', type: 'video/mp4' })
    expectProblem(declared, 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(declared.body.error).toContain('Use chunked uploads for videos')
    expectProblem(
      await api.upload(event.id, film, { name: 'film.mp4', type: 'image/jpeg' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  })

  test('only with the content of its name: a picture named as a video is 415, and the reverse', async () => {
    expectProblem(await sendVideo(admin, event.id, await jpeg(), { name: 'a.mp4' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectProblem(
      await sendVideo(admin, event.id, await clip('film.mp4'), { name: 'a.jpg' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  })
})

describe('a replace', () => {
  test('gives a video a new file, still and size, and keeps the other values', async () => {
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
    const kept = (await listStoredFiles(service)).filter((path) => path.includes(`events/${own.id}/`))
    expect(kept.filter((path) => /stills|thumbnails/.test(path))).toHaveLength(2)
  })

  test('of a video by a photo or of a photo by a video is 415 and changes nothing', async () => {
    const own = await createEvent(api)
    const film = await uploadVideo(admin, own.id, await clip('film.mp4'))
    const photo = (await api.upload(own.id, await jpeg())).body.id
    const byPhoto = await sendVideo(admin, own.id, await jpeg(), { name: 'a.jpg', replaces_photo_id: film })
    expectProblem(byPhoto, 415, 'UNSUPPORTED_MEDIA_TYPE')
    const byVideo = await sendVideo(admin, own.id, await clip('film.mp4'), { replaces_photo_id: photo })
    expectProblem(byVideo, 415, 'UNSUPPORTED_MEDIA_TYPE')
    const multipart = await api.upload(own.id, await jpeg(), { fields: { replaces_photo_id: film } })
    expectProblem(multipart, 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(await waitUntilProcessed(api, own.id, film)).toMatchObject({
      media_type: 'video',
      processing_status: 'ready',
    })
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

  test('it can be hidden, replaced or deleted', async () => {
    const { gate, gated, event } = await startGatedService()
    const { admin, api } = gated
    const hidden = await uploadVideo(admin, event.id, await clip('film.avi'), named)
    const replaced = await uploadVideo(admin, event.id, await clip('film.avi'), named)
    const deleted = await uploadVideo(admin, event.id, await clip('film.avi'), named)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${hidden}`, { visibility: 'hidden' })
    await sendVideo(admin, event.id, await clip('wide.mov', { size: '96x48' }), {
      name: 'wide.mov',
      replaces_photo_id: replaced,
    })
    await admin.delete(`/api/admin/photos/${event.id}/photos/${deleted}`)
    await gate.open()
    expect(await waitUntilProcessed(api, event.id, hidden)).toMatchObject({
      processing_status: 'ready',
      visibility: 'hidden',
    })
    expect(await waitUntilProcessed(api, event.id, replaced)).toMatchObject({ processing_status: 'ready', width: 96 })
    await expect.poll(() => listDerivedFilesOf(gated)).toHaveLength(4)
    expect(readDatabase(gated, (stored) => stored.prepare('select * from video_jobs').all())).toEqual([])
  })

  test('a replace or a delete wins, and nothing of the job for the old file is stored', async () => {
    for (const operation of ['replace', 'delete'] as const) {
      const { gate, gated, event } = await startGatedService()
      const { admin, api } = gated
      const id = await uploadVideo(admin, event.id, await clip('film.avi'), named)
      await expect
        .poll(() => readDatabase(gated, (stored) => stored.prepare('select attempts from video_jobs').pluck().get()))
        .toBe(1)
      if (operation === 'delete') await admin.delete(`/api/admin/photos/${event.id}/photos/${id}`)
      else {
        const wide = await clip('wide.mov', { size: '96x48' })
        await sendVideo(admin, event.id, wide, { name: 'wide.mov', replaces_photo_id: id })
      }
      await gate.open()
      const next = await uploadVideo(admin, event.id, await clip('film.avi'), named)
      await waitUntilProcessed(api, event.id, next)
      if (operation === 'replace') expect(await waitUntilProcessed(api, event.id, id)).toMatchObject({ width: 96 })
      await expect.poll(() => listDerivedFilesOf(gated)).toHaveLength(operation === 'replace' ? 4 : 2)
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
    const id = await uploadVideo(admin, open.id, await clipWithLocation(), { name: 'located.mov' })
    const seen = await visitor.get(`/api/gallery/${open.slug}/photo/${id}`)
    expect(seen.bytes.equals(await clipWithLocation())).toBe(true)
  })
})
