// The program of a video worker process. It opens one video or HEIC file, which is its standard input, writes the still to
// descriptor 3, and writes `readyLine` and a VideoResult to its standard output.
import { fstatSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { DecoderMissing } from '../decoder/decode-frames.ts'
import { RejectedHeic } from '../heic/heic-picture.ts'
import type { RawHevc } from '../raw/read-raw-hevc.ts'
import { type ReadAt, withReadAt } from '../read-at.ts'
import { captureWithFfmpeg } from './ffmpeg-frame.ts'
import { maxPixels, maxStillEdge, RejectedVideo, UnknownCodec, type VideoContainer } from './video-container.ts'
import {
  type ConversionTask,
  maxReasonLength,
  readyLine,
  type VideoFacts,
  type VideoResult,
  type VideoTask,
  type WorkerTask,
} from './video-result.ts'

const sourcePath = '/dev/fd/0'
const stillDescriptor = 3

setPriority(constants.priority.PRIORITY_LOW)
// Libraries may write to the standard output, which is for the result.
console.log = console.info = console.warn = console.error = () => undefined

async function inspect(task: WorkerTask): Promise<VideoResult> {
  const { size } = fstatSync(0)
  return withReadAt(sourcePath, async (read) => {
    if (task.kind === 'heic' || task.kind === 'raw') return convert(task, read, size)
    const container = await openContainer(read, size, task)
    const { picture, facts } = await makePicture(container, task)
    writeFileSync(stillDescriptor, await encodeStill(picture, facts))
    return { outcome: 'made', facts }
  })
}

async function convert(task: ConversionTask, read: ReadAt, sizeBytes: number): Promise<VideoResult> {
  const { decodePicture, encodeHeicJpeg } = await import('../heic/decode-heic.ts')
  const [{ readExif }, { createExif }] = await Promise.all([import('../read-exif.ts'), import('../write-exif.ts')])
  const { picture, exifOrientation } = await readCoded(task, read, sizeBytes)
  const decoded = await decodePicture(picture, read)
  const exif = createExif(await readExif(sourcePath), exifOrientation)
  writeFileSync(stillDescriptor, await encodeHeicJpeg(decoded, exif))
  const { width, height } = decoded
  return { outcome: 'made', facts: { width, height, duration: null, capturedAt: null } }
}

async function readCoded(task: ConversionTask, read: ReadAt, sizeBytes: number): Promise<RawHevc> {
  if (task.kind === 'raw') return (await import('../raw/read-raw-hevc.ts')).readRawHevc(read, sizeBytes, task.rawKind)
  return { picture: await (await import('../heic/read-heic.ts')).readHeic(read, sizeBytes), exifOrientation: 1 }
}

async function openContainer(read: ReadAt, size: number, task: VideoTask): Promise<VideoContainer> {
  if (task.kind === 'avi') return (await import('./avi-file.ts')).openAvi(read, size, task)
  return (await import('./movie-file.ts')).openMovie(read, size, task)
}

function toFailure(error: unknown): VideoResult {
  if (error instanceof RejectedVideo) return { outcome: 'rejected', rejection: error.rejection }
  if (error instanceof DecoderMissing) return { outcome: 'rejected', rejection: 'undecodable' }
  if (error instanceof RejectedHeic) {
    const rejection = error.rejection === 'damage' ? 'damaged' : error.rejection
    return { outcome: 'rejected', rejection, reason: error.message.slice(0, maxReasonLength) }
  }
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return { outcome: 'diskFull' }
  return { outcome: 'rejected', rejection: code === 'EFBIG' ? 'costly' : 'damaged' }
}

type Still = { picture: Sharp; facts: VideoFacts }

/** Decodes the frame here, otherwise with ffmpeg. Formats that neither can decode get a neutral picture. */
async function makePicture({ facts, decodeFrame }: VideoContainer, { kind, ffmpegPath }: VideoTask): Promise<Still> {
  try {
    return { picture: await decodeFrame(), facts }
  } catch (error) {
    const jpeg = ffmpegPath && (await captureWithFfmpeg(ffmpegPath, sourcePath, kind))
    if (jpeg) return measureStill(sharp(jpeg, { limitInputPixels: maxPixels }), facts)
    if (error instanceof UnknownCodec) return { picture: createNeutralPicture(), facts }
    throw error
  }
}

/** ffmpeg knows the shape of the pixels; containers such as AVI do not. It makes large pictures smaller. */
async function measureStill(picture: Sharp, facts: VideoFacts): Promise<Still> {
  const { width, height } = await picture.metadata()
  return { picture, facts: Math.max(width, height) < maxStillEdge ? { ...facts, width, height } : facts }
}

function encodeStill(picture: Sharp, { width, height }: VideoFacts): Promise<Buffer> {
  const scale = Math.min(1, maxStillEdge / Math.max(width, height))
  const [across, down] = [width, height].map((edge) => Math.max(1, Math.round(edge * scale)))
  return picture.resize(across, down, { fit: 'fill' }).jpeg({ quality: 92 }).toBuffer()
}

const gray = { r: 112, g: 112, b: 112 }
const createNeutralPicture = (): Sharp => sharp({ create: { width: 16, height: 16, channels: 3, background: gray } })

process.stdout.write(`${readyLine}\n`)
const [, , text] = process.argv
if (text === undefined) process.exit()
const task: WorkerTask = JSON.parse(text)
const result = await inspect(task).catch(toFailure)
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit())
