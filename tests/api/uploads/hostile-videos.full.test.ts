import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultVideoLimits } from '../../../server/platform/media/video/video-stills.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { createDecoy } from '../../support/media/decoy-source.ts'
import { box, createReferenceMovie, reference, typeBox, withReference } from '../../support/media/movie-boxes.ts'
import {
  allowVideos,
  clip,
  createScriptedFfmpeg,
  encodeWithFfmpeg,
  sendVideo,
  uploadVideo,
  waitUntilProcessed,
} from '../../support/media/videos.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { serviceForFile, serviceForTest } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { admin, api } = service
let event: TestEvent

beforeAll(async () => {
  await allowVideos(service)
  event = await createEvent(api)
})

const toBytes = (text: string) => Buffer.from(text)
const readFirstHalf = async (name: Parameters<typeof clip>[0]) => {
  const whole = await clip(name)
  return whole.subarray(0, whole.length >> 1)
}
const stagedFiles = async () => (await listStoredFiles(service)).filter((path) => path.startsWith('staging/'))

/** Uploads a file and returns its processing error, which must be a sentence without a path of this machine. */
async function getProcessingError(bytes: Buffer<ArrayBuffer>, name = 'clip.mp4'): Promise<string> {
  const record = await waitUntilProcessed(api, event.id, await uploadVideo(admin, event.id, bytes, { name }))
  expect(record).toMatchObject({ processing_status: 'failed', width: null, duration: null, thumbnail_path: null })
  expect(record.processing_error).toMatch(/^[A-Z][^/\\]+\.$/)
  await expect.poll(stagedFiles).toEqual([])
  return record.processing_error
}

/** Playlists and scripts that name other files. An unrestricted ffmpeg reads those files. */
const createPointerFiles = (url: string, path: string): Record<string, string> => {
  const list = (target: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n${target}\n#EXT-X-ENDLIST\n`
  return {
    'an HLS list of an address': list(url),
    'an HLS list of a local file': list(`file://${path}`),
    'an HLS list of a concatenation': list(`concat:${path}|${url}`),
    'a concat script': `ffconcat version 1.0\nfile '${path}'\nfile '${url}'\n`,
    'a session description': 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n',
    'a DASH manifest': `<?xml version="1.0"?><MPD><BaseURL>${url}</BaseURL></MPD>`,
  }
}

describe('a file that only points to other files', () => {
  test('is 415 under each name, and no target is read', async () => {
    const { url, path, connections } = await createDecoy(await clip('film.mp4'))
    const before = await storedState(service)
    for (const [what, text] of Object.entries(createPointerFiles(url, path))) {
      for (const name of ['a.mp4', 'a.mov', 'a.webm', 'a.avi']) {
        const answer = await sendVideo(admin, event.id, toBytes(text), { name })
        expect([answer.status, answer.body.code], `${what} as ${name}`).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      }
    }
    const { files } = before
    expect(await storedState(service)).toEqual({ ...before, files })
    expect(connections()).toBe(0)
  })

  test('fails after the first bytes of a video, and no target is read', async () => {
    const { url, path, connections } = await createDecoy(await clip('film.mp4'))
    const riff = (text: string) => Buffer.concat([toBytes('RIFF'), Buffer.alloc(4, 1), toBytes('AVI '), toBytes(text)])
    for (const text of Object.values(createPointerFiles(url, path)).slice(0, isLongRun ? 3 : 1)) {
      await getProcessingError(Buffer.from(Buffer.concat([typeBox('isom'), box('mdat', toBytes(text))])))
      await getProcessingError(Buffer.from(riff(text)), 'a.avi')
      if (isLongRun) await getProcessingError(Buffer.from(Buffer.concat([typeBox('isom'), toBytes(text)])))
    }
    expect(connections()).toBe(0)
  })

  test('is 415 as a reference movie or with pictures elsewhere', async () => {
    const { url, path, connections } = await createDecoy(await clip('film.mov'))
    const movie = await clip('film.mov')
    const movies = {
      'a reference movie': createReferenceMovie(url),
      'an address': withReference(movie, reference('url ', url)),
      'a local file': withReference(movie, reference('url ', `file://${path}`)),
      'an alias': withReference(movie, reference('alis', path)),
      'a compressed header': Buffer.concat([typeBox('qt  '), box('moov', box('cmov', Buffer.alloc(40)))]),
    }
    for (const [what, bytes] of Object.entries(movies)) {
      for (const name of ['a.mov', 'a.mp4']) {
        const answer = await sendVideo(admin, event.id, Buffer.from(bytes), { name })
        expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
        expect(answer.body.error, what).toContain('self-contained')
      }
    }
    expect(connections()).toBe(0)
  })

  test('is accepted if the reference is to itself', async () => {
    const own = withReference(await clip('film.mov'), reference('alis', '/somewhere/on/the/disk.mov', 1))
    const id = await uploadVideo(admin, event.id, own, { name: 'own.mov' })
    expect((await waitUntilProcessed(api, event.id, id)).processing_status).toBe('ready')
  })
})

describe('a file that is not a video', () => {
  const files: Array<[string, Buffer<ArrayBuffer>]> = [
    ['text', toBytes('This is not a film.')],
    ['a web page', toBytes('<!doctype html><video src="http://127.0.0.1/"></video>')],
    ['noise', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 193 + 71) % 256))],
    ['one byte', toBytes('x')],
    ['a camera raw file', Buffer.from(Buffer.concat([typeBox('crx '), box('mdat', Buffer.alloc(99))]))],
    ['a sound file', Buffer.from(Buffer.concat([typeBox('M4A '), box('mdat', Buffer.alloc(99))]))],
    [
      'a RIFF of another kind',
      Buffer.concat([toBytes('RIFF'), Buffer.alloc(4), toBytes('WAVEfmt '), Buffer.alloc(99)]),
    ],
    ['old QuickTime without a movie', Buffer.from(box('mdat', Buffer.alloc(99)))],
  ]

  test('is 415: another format, Matroska named as WebM, and boxes without an end', async () => {
    for (const [what, bytes] of files) {
      const { status, body } = await sendVideo(admin, event.id, bytes)
      expect([status, body.code], what).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
    const matroska = await clip('film.mkv')
    expectProblem(await sendVideo(admin, event.id, matroska, { name: 'a.webm' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const boxes = Buffer.concat([typeBox('isom'), ...Array.from({ length: 20_000 }, () => box('free'))])
    const nested = Array.from({ length: 50 }).reduce<Buffer>((inner) => box('udta', inner), box('free'))
    expectProblem(await sendVideo(admin, event.id, Buffer.from(boxes)), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const deep = Buffer.concat([typeBox('isom'), box('moov', nested)])
    expectProblem(await sendVideo(admin, event.id, Buffer.from(deep)), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })
})

describe('a damaged video', () => {
  test('that is cut off ends as failed with a reason', async () => {
    expect(await getProcessingError(await readFirstHalf('film.mp4'))).toContain('incomplete')
  })

  test('that has only its first bytes ends as failed with a reason', { tags: 'nightly' }, async () => {
    await getProcessingError((await clip('film.avi')).subarray(0, 1000), 'a.avi')
    await getProcessingError((await clip('film.webm')).subarray(0, 300), 'a.webm')
    await getProcessingError(Buffer.from(typeBox('isom')))
    await getProcessingError(Buffer.from(Buffer.concat([typeBox('isom'), box('moov')])))
    await getProcessingError(Buffer.concat([toBytes('RIFF'), Buffer.alloc(4), toBytes('AVI ')]), 'a.avi')
  })

  test('with overwritten pictures or with sound only ends as failed', { tags: 'nightly' }, async () => {
    const film = await clip('film.mp4', { size: '320x240' })
    const at = film.indexOf('mdat') + 4
    const end = film.indexOf('moov') - 4
    expect(await getProcessingError(Buffer.from(film).fill(0xff, at, end))).toContain('damaged')
    const audioOnly = await encodeWithFfmpeg(['-f', 'lavfi', '-i', 'sine=d=1'], 'mp4')
    expect(await getProcessingError(audioOnly)).toContain('sound')
  })

  test('has no picture and no play sign, but its original can be downloaded', async () => {
    const bytes = await readFirstHalf('film.mp4')
    const id = await uploadVideo(admin, event.id, bytes)
    await waitUntilProcessed(api, event.id, id)
    const guest = await enterAsGuest(service, event)
    const base = `/api/gallery/${event.slug}`
    const page = (await guest.get(`/gallery/${event.slug}/${event.share_token}`)).bytes.toString()
    expect(page).toContain(`<a class="photo" href="?photo=${id}"`)
    for (const path of [`/thumbnail/${id}`, `/photo/${id}?w=640`]) {
      expectProblem(await guest.get(base + path), 404, 'PREVIEW_UNAVAILABLE')
    }
    expect((await guest.get(`${base}/photo/${id}`)).bytes.equals(bytes)).toBe(true)
  })
})

describe('a video job', () => {
  test('that hangs is stopped with all its processes, and the next one runs', { tags: 'nightly' }, async () => {
    const FFMPEG_PATH = await createScriptedFfmpeg('sleep 61.234 & wait')
    const slow = await serviceForTest({
      environment: { FFMPEG_PATH },
      edges: { videoLimits: { ...defaultVideoLimits, wallSeconds: 10 } },
    })
    await allowVideos(slow)
    const { id: eventId } = await createEvent(slow.api)
    const [hanging, next] = [
      await uploadVideo(slow.admin, eventId, await clip('film.avi'), { name: 'film.avi' }),
      await uploadVideo(slow.admin, eventId, await clip('film.mp4')),
    ]
    const record = await waitUntilProcessed(slow.api, eventId, hanging)
    expect(record).toMatchObject({
      processing_status: 'failed',
      processing_error: expect.stringContaining('too much time'),
    })
    expect(await waitUntilProcessed(slow.api, eventId, next)).toMatchObject({ processing_status: 'ready' })
    expect(await listCommandLines()).not.toContain('sleep 61.234')
  })

  test('with endless pictures is stopped by its CPU limit', { tags: 'nightly' }, async () => {
    const source = 'color=c=blue:s=3840x2160:r=500:d=0.9'
    const options = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
    const costlyVideo = await encodeWithFfmpeg(['-f', 'lavfi', '-i', source, ...options], 'mp4')
    const limits = { ...defaultVideoLimits, cpuSeconds: 1, wallSeconds: 30 }
    const strict = await serviceForTest({ edges: { videoLimits: limits } })
    await allowVideos(strict)
    const { id: eventId } = await createEvent(strict.api)
    const id = await uploadVideo(strict.admin, eventId, costlyVideo)
    const record = await waitUntilProcessed(strict.api, eventId, id)
    expect(record).toMatchObject({
      processing_status: 'failed',
      processing_error: expect.stringContaining('too much time'),
    })
  })

  test.each([
    ['memory', { memoryBytes: 90e6 }],
    ['room on the disk', { fileBytes: 2048 }],
  ])('that exceeds its limit of %s ends as failed', { tags: 'nightly' }, async (_what, limits) => {
    const strict = await serviceForTest({ edges: { videoLimits: { ...defaultVideoLimits, ...limits } } })
    await allowVideos(strict)
    const { id: eventId } = await createEvent(strict.api)
    const large = await encodeWithFfmpeg(
      ['-f', 'lavfi', '-i', 'testsrc2=s=3840x2160:r=10:d=2', '-pix_fmt', 'yuv420p'],
      'mp4',
    )
    const record = await waitUntilProcessed(strict.api, eventId, await uploadVideo(strict.admin, eventId, large))
    expect(record).toMatchObject({ processing_status: 'failed', thumbnail_path: null })
    // The job is recorded as failed before its files are deleted.
    const derived = async () => (await listStoredFiles(strict)).filter((path) => /staging|stills|thumbnails/.test(path))
    await expect.poll(derived).toEqual([])
  })
})

async function listCommandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(lines)).map((line) => line.replaceAll('\0', ' ').trim())
}
