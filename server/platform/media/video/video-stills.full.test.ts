import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ffmpeg from '@ffmpeg-installer/ffmpeg'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { createDecoy } from '../../../../tests/support/media/decoy-source.ts'
import { reference, withReference } from '../../../../tests/support/media/movie-boxes.ts'
import { clip, createScriptedFfmpeg, type VideoName } from '../../../../tests/support/media/videos.ts'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import { captureWithFfmpeg } from './ffmpeg-frame.ts'
import type { VideoKind } from './video-header.ts'
import { createVideoStills, StillCanceled, UnreadableVideo } from './video-stills.ts'

async function stillsForTest(ffmpegPath: string | null = null) {
  const stills = createVideoStills({ ffmpegPath, dataDir: await temporaryFolder() })
  onTestFinished(stills.close)
  return stills
}

async function taskOf(bytes: Buffer, kind: VideoKind) {
  const folder = await temporaryFolder()
  const sourcePath = join(folder, 'source')
  await writeFile(sourcePath, bytes)
  return { sourcePath, kind, stillPath: join(folder, 'still'), now: Date.now(), signal: new AbortController().signal }
}

/** Returns the facts of a video, and the mean color of its still. */
async function capture(name: VideoName, bytes: Buffer, ffmpegPath: string | null = null) {
  const task = await taskOf(bytes, name.split('.').at(-1) as VideoKind)
  const facts = await (await stillsForTest(ffmpegPath)).capture(task)
  const { channels } = await sharp(await readFile(task.stillPath)).stats()
  return { facts, color: channels.map(({ mean }) => Math.round(mean)) }
}

const near = (color: number[], expected: number[]) =>
  expect(Math.max(...color.map((value, channel) => Math.abs(value - (expected[channel] ?? 0))))).toBeLessThan(6)

const blue = [0, 0, 255]
/** Red for 0.8 seconds, then blue until second 2. The ffmpeg of the tests cannot write AV1; that of Debian can, by libaom. */
const av1Path = '../../../../tests/support/media/av1.mp4'
const gray = [112, 112, 112]

test.each<[VideoName, ...string[]]>([
  ['h264.mp4', '-c:v', 'libx264'],
  ['hevc.mp4', '-c:v', 'libx265', '-x265-params', 'log-level=error'],
  ['vp8.webm', '-c:v', 'libvpx'],
  ['vp9.webm', '-c:v', 'libvpx-vp9'],
  ['motion-jpeg.mov', '-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p'],
  ['motion-jpeg.avi', '-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p'],
  ['h264.avi', '-c:v', 'libx264', '-bf', '2'],
])('the still is the frame at 1 second of %s, decoded here', { tags: 'nightly' }, async (name, ...options) => {
  const { facts, color } = await capture(name, await clip(name, { options }))
  expect(facts).toMatchObject({ width: 64, height: 48 })
  expect(facts.duration).toBeCloseTo(2, 1)
  near(color, blue)
})

test('the still is the frame at 1 second of AV1, decoded here', async () => {
  const { facts, color } = await capture('av1.mp4', await readFile(new URL(av1Path, import.meta.url)))
  expect(facts).toMatchObject({ width: 64, height: 48, duration: 2 })
  near(color, blue)
})

test.each<[VideoName, ...string[]]>([
  ['prores.mov', '-c:v', 'prores', '-pix_fmt', 'yuv422p10le'],
  ['mpeg4.mp4', '-c:v', 'mpeg4', '-q:v', '2'],
  ['mpeg4.avi', '-c:v', 'mpeg4', '-q:v', '2'],
])(
  'the still is the frame at 1 second of %s, decoded by ffmpeg, and a neutral picture without it',
  { tags: 'nightly' },
  async (name, ...options) => {
    const bytes = await clip(name, { options })
    const withFfmpeg = await capture(name, bytes, await createScriptedFfmpeg())
    near(withFfmpeg.color, blue)
    const alone = await capture(name, bytes)
    near(alone.color, gray)
    expect(alone.facts).toEqual(withFfmpeg.facts)
    expect(alone.facts).toMatchObject({ width: 64, height: 48, duration: 2 })
  },
)

test('the still is the frame at 1 second or the last frame of a shorter clip, decoded here or by ffmpeg', {
  tags: 'nightly',
}, async () => {
  const colors = [
    ['red', 0.4],
    ['lime', 0.1],
  ] as const
  near(
    (await capture('short.avi', await clip('short.avi', { colors, options: ['-c:v', 'libx264'] }))).color,
    [0, 255, 0],
  )
  const short = await clip('short.avi', { colors, options: ['-q:v', '2'] })
  near((await capture('short.avi', short, await createScriptedFfmpeg())).color, [0, 255, 0])
})

test.each([
  ['of HD', '1280x720', 'scale=out_color_matrix=bt709', ['-colorspace', 'bt709']],
  ['of small videos', '64x48', 'null', []],
  ['in the full range', '64x48', 'scale=out_range=pc:out_color_matrix=bt601', ['-pix_fmt', 'yuvj420p']],
] as const)('the colors %s are true', async (_what, size, filter, options) => {
  const film = await clip('film.mp4', { size, filter, colors: [['0x30a0e0', 2]], options })
  near((await capture('film.mp4', film)).color, [0x30, 0xa0, 0xe0])
})

test('an AVI has the time of its recording', async () => {
  const film = await clip('film.avi')
  const text = 'Mon Mar 10 15:04:43 2003\n\0'
  const dated = Buffer.concat([film.subarray(0, 12), withIdit(film.subarray(12), text)])
  expect((await capture('film.avi', dated)).facts.capturedAt).toBe(Date.parse('2003-03-10T15:04:43Z'))
})

test('an AVI that was not finished is still read', async () => {
  const film = await clip('film.avi', { options: ['-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p'] })
  const at = film.indexOf('movi')
  const unfinished = Buffer.from(film.subarray(0, film.indexOf('idx1'))).fill(0, at - 4, at)
  near((await capture('film.avi', unfinished)).color, blue)
})

/** Inserts a chunk at the end of the first list of an AVI. */
function withIdit(lists: Buffer, text: string): Buffer {
  const size = lists.readUInt32LE(4)
  const chunk = Buffer.concat([Buffer.from('IDIT'), Buffer.from([text.length, 0, 0, 0]), Buffer.from(text)])
  const longer = Buffer.concat([lists.subarray(0, 8 + size), chunk, lists.subarray(8 + size)])
  longer.writeUInt32LE(size + chunk.length, 4)
  return longer
}

const playlist = (place: string) =>
  Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n${place}\n#EXT-X-ENDLIST\n`)

test('opens no other file although ffmpeg without limits would', async () => {
  const { url, connections } = await createDecoy(await clip('film.mp4'))
  const { sourcePath } = await taskOf(playlist(url), 'mp4')
  const isLoose = ['-protocol_whitelist', 'file,http,tcp', '-allowed_extensions', 'ALL']
  await promisify(execFile)(ffmpeg.path, [...isLoose, '-i', sourcePath, '-f', 'null', '-'])
  expect(connections()).toBe(1)
})

test.each<VideoKind>(['mp4', 'webm', 'avi'])('opens no other file for a list that looks like %s', async (kind) => {
  const film = await clip('film.mp4')
  const { url, path, connections } = await createDecoy(film)
  for (const list of [playlist(url), playlist(path), Buffer.from(`ffconcat version 1.0\nfile '${path}'\n`)]) {
    const task = await taskOf(list, kind)
    await expect((await stillsForTest()).capture(task)).rejects.toThrow(UnreadableVideo)
    expect(await captureWithFfmpeg(ffmpeg.path, task.sourcePath, kind)).toBeNull()
  }
  expect(connections()).toBe(0)
})

test('opens no other file for a movie that references its media', async () => {
  const { url, path, connections } = await createDecoy(await clip('film.mov'))
  for (const entry of [reference('url ', url), reference('alis', path)]) {
    const movie = withReference(await clip('film.mov', { size: '96x48' }), entry)
    // The still is a picture of the movie itself; the referenced pictures have another size.
    expect((await capture('film.mov', movie)).facts).toMatchObject({ width: 96, height: 48 })
    const { sourcePath } = await taskOf(movie, 'mov')
    const still = await captureWithFfmpeg(ffmpeg.path, sourcePath, 'mov')
    expect(await sharp(still ?? undefined).metadata()).toMatchObject({ width: 96, height: 48 })
  }
  expect(connections()).toBe(0)
})

test('a WebM without its end has a still', async () => {
  const film = await clip('film.webm', { size: '320x240', options: ['-live', '1', '-cluster_time_limit', '1200'] })
  const { facts, color } = await capture('film.webm', film.subarray(0, film.length - 40))
  expect(facts).toMatchObject({ width: 320, height: 240 })
  near(color, blue)
})

test('rejects an empty file and an aborted task', async () => {
  const stills = await stillsForTest()
  await expect(stills.capture(await taskOf(Buffer.alloc(0), 'mp4'))).rejects.toThrow(UnreadableVideo)
  const task = await taskOf(await clip('film.mp4'), 'mp4')
  await expect(stills.capture({ ...task, signal: AbortSignal.abort() })).rejects.toThrow(StillCanceled)
  stills.close()
  await expect(stills.capture(task)).rejects.toThrow(StillCanceled)
})
