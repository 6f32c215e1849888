import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ffmpeg from '@ffmpeg-installer/ffmpeg'
import { expect, vi } from 'vitest'
import type { TestClient, TestResponse } from '../clients/test-client.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import type { TestService } from '../service/test-service.ts'
import { adminUploadsPath, sendAllChunks } from '../uploads/chunked-uploads.ts'

export type VideoName = `${string}.${'mp4' | 'm4v' | 'mov' | 'webm' | 'avi' | 'mkv'}`

type Clip = {
  /** Colors, and the seconds for which each is shown, at 10 frames per second. */
  colors?: ReadonlyArray<readonly [color: string, seconds: number]>
  size?: string
  /** A filter of ffmpeg that is applied after the colors. */
  filter?: string
  options?: readonly string[]
}

const encoders: Record<string, string[]> = {
  mp4: ['-c:v', 'libx264'],
  m4v: ['-c:v', 'libx264', '-brand', 'M4V ', '-f', 'mp4'],
  mov: ['-c:v', 'libx264'],
  webm: ['-c:v', 'libvpx'],
  avi: ['-c:v', 'mpeg4'],
  mkv: ['-c:v', 'libx264'],
}

/** The frame at one second is blue. */
const defaultColors = [
  ['red', 0.8],
  ['blue', 0.7],
  ['lime', 0.5],
] as const

const cachedFiles = new Map<string, Promise<Buffer<ArrayBuffer>>>()

/** Returns a real video in the format of its file extension. Equal clips are created once. */
export function clip(
  name: VideoName,
  { colors = defaultColors, size = '64x48', filter = 'null', options = [] }: Clip = {},
) {
  const extension = name.split('.').at(-1) ?? ''
  const sources = colors.flatMap(([color, seconds]) => [
    '-f',
    'lavfi',
    '-i',
    `color=c=${color}:s=${size}:r=10:d=${seconds}`,
  ])
  const joined = `${colors.map((_, index) => `[${index}:v]`).join('')}concat=n=${colors.length},${filter}`
  const encoding = ['-pix_fmt', 'yuv420p', ...(encoders[extension] ?? []), ...options]
  return encodeWithFfmpeg([...sources, '-filter_complex', joined, ...encoding], extension)
}

/**
 * Returns the same frames in the same container with other options, such as metadata that cannot be set while encoding.
 */
export async function remux(name: VideoName, source: Buffer, options: readonly string[]) {
  const extension = name.split('.').at(-1) ?? ''
  const path = join(await temporaryFolder(), `source.${extension}`)
  await writeFile(path, source)
  return encodeWithFfmpeg(['-i', path, '-c', 'copy', ...options], extension)
}

/** Returns what ffmpeg writes into a file of this extension. Results are cached. */
export function encodeWithFfmpeg(args: readonly string[], extension: string): Promise<Buffer<ArrayBuffer>> {
  const key = JSON.stringify([args, extension])
  const making = cachedFiles.get(key) ?? make(args, extension)
  cachedFiles.set(key, making)
  return making
}

async function make(args: readonly string[], extension: string): Promise<Buffer<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-clip-'))
  try {
    const path = join(folder, `clip.${extension}`)
    await promisify(execFile)(ffmpeg.path, ['-nostdin', '-loglevel', 'error', ...args, path])
    return Buffer.from(await readFile(path))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const allVideoTypes = 'jpg,png,mp4,m4v,mov,webm,avi'

/** Allows videos, which are disabled by default. */
export async function allowVideos({ admin }: Pick<TestService, 'admin'>, types = allVideoTypes): Promise<void> {
  const { status } = await admin.put('/api/admin/settings', { general_allowed_file_types: types })
  expect(status).toBe(200)
}

/** Uploads a file in chunks. Returns the response of `complete`. */
export async function sendVideo(
  admin: TestClient,
  eventId: number,
  file: Buffer<ArrayBuffer>,
  { name = 'clip.mp4', ...body }: { name?: string } & Record<string, unknown> = {},
): Promise<TestResponse> {
  const upload = await sendAllChunks(admin, adminUploadsPath(eventId), file, { filename: name })
  return upload.complete(body)
}

/** Uploads a video that must be accepted. Returns its id. */
export async function uploadVideo(...sent: Parameters<typeof sendVideo>): Promise<number> {
  const { status, body } = await sendVideo(...sent)
  expect({ status, body }).toMatchObject({ status: 200, body: { photos: [{ media_type: 'video' }] } })
  return body.photos[0].id
}

export async function waitUntilProcessed(
  api: TestClient,
  eventId: number,
  id: number,
  timeout = 60_000,
): Promise<TestResponse['body']> {
  let record: TestResponse['body'] = null
  const isProcessed = async () => {
    record = (await api.get(`/api/v1/events/${eventId}/photos/${id}`)).body
    return record.processing_status !== 'processing'
  }
  await vi.waitUntil(isProcessed, { timeout, interval: 30 })
  return record
}

/**
 * Writes a shell script and returns its path for FFMPEG_PATH. In the script, `$FFMPEG` is the ffmpeg of the tests, which
 * is older than the service accepts; the script prints a newer version.
 */
export async function createScriptedFfmpeg(script = 'exec "$FFMPEG" "$@"'): Promise<string> {
  const path = join(await temporaryFolder(), 'ffmpeg')
  const printVersion = `if [ "$1" = -version ]; then echo 'libavcodec     59. 37.100 / 59. 37.100'; exit; fi`
  await writeFile(path, `#!/bin/sh\n${printVersion}\nFFMPEG='${ffmpeg.path}'\n${script}\n`)
  await chmod(path, 0o700)
  return path
}

/**
 * Returns the path of an ffmpeg that waits until `open` is called. It gets the videos that only it can decode, such as AVI.
 * It reads its own file while it waits, because its sandbox contains no other.
 */
export async function createGatedFfmpeg(): Promise<{ path: string; open: () => Promise<void> }> {
  const path = await createScriptedFfmpeg(`until grep -q '^# open' "$0"; do sleep 0.05; done\nexec "$FFMPEG" "$@"`)
  return { path, open: () => appendFile(path, '# open\n') }
}
