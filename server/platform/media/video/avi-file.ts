import sharp, { type Sharp } from 'sharp'
import type { ReadAt } from '../read-at.ts'
import { captureFrame, type TimedChunk } from './capture-frame.ts'
import { parseAviTime, selectCaptureTime } from './capture-time.ts'
import {
  checkFrameSize,
  frameSeconds,
  maxPixels,
  RejectedVideo,
  UnknownCodec,
  type VideoContainer,
} from './video-container.ts'
import { maxSeconds, type VideoTask } from './video-result.ts'

/** More than the pictures and the sound of the first second, in any real file. */
const maxChunks = 20_000
const maxChunkBytes = 2 ** 26

type Chunk = { id: string; start: number; end: number }

type AviHeader = {
  /** The number of the first stream of pictures, as two digits. */
  stream: string
  codec: string
  width: number
  height: number
  framesPerSecond: number
  frameCount: number
  capturedAt: number | null
}

/** Opens an AVI file. Throws RejectedVideo. */
export async function openAvi(
  read: ReadAt,
  sizeBytes: number,
  { now }: Pick<VideoTask, 'now'>,
): Promise<VideoContainer> {
  const reader = new ChunkReader(read)
  const { header, movie } = await readStructure(reader, sizeBytes)
  const { width, height, framesPerSecond, frameCount } = header
  checkFrameSize(width, height)
  const frames = await reader.listFrames(movie, header, Math.floor(framesPerSecond * frameSeconds) + 1)
  const seconds = frameCount / framesPerSecond
  const facts = {
    width,
    height,
    duration: seconds > 0 && seconds < maxSeconds ? seconds : null,
    capturedAt: selectCaptureTime([header.capturedAt], now),
  }
  return { facts, decodeFrame: () => decodeFrame(header, frames) }
}

type LoadedFrame = () => Promise<Buffer>

class ChunkReader {
  readonly #read: ReadAt
  #left = maxChunks

  constructor(read: ReadAt) {
    this.#read = read
  }

  read(start: number, length: number): Promise<Buffer> {
    return this.#read(start, length)
  }

  /** Yields the chunks of a list. The id of a list is its type. Ends at the end of the file. */
  async *list({ start, end }: Pick<Chunk, 'start' | 'end'>): AsyncGenerator<Chunk, void> {
    for (let position = start; position + 8 <= end; ) {
      if (this.#left-- <= 0) return
      const head = await this.#read(position, 12)
      if (head.length < 8) return
      const id = head.toString('latin1', 0, 4)
      const isList = (id === 'LIST' || id === 'RIFF') && head.length === 12
      const content = position + 8
      // Recorders that were cut off leave the size of their lists at 0.
      const size = head.readUInt32LE(4) || (isList ? end - content : 0)
      yield {
        id: isList ? head.toString('latin1', 8, 12) : id,
        start: isList ? content + 4 : content,
        end: Math.min(end, content + size),
      }
      position = content + size + (size % 2)
    }
  }

  /** Returns up to `count` frames of the stream. An empty chunk repeats the frame before, so it is left out. */
  async listFrames(movie: Chunk, { stream }: AviHeader, count: number): Promise<LoadedFrame[]> {
    const frames: LoadedFrame[] = []
    let passed = 0
    const visit = async (list: Chunk): Promise<void> => {
      for await (const chunk of this.list(list)) {
        if (passed >= count) return
        if (chunk.id === 'rec ') await visit(chunk)
        if (!/^(db|dc)$/.test(chunk.id.slice(2)) || chunk.id.slice(0, 2) !== stream) continue
        passed++
        const length = Math.min(chunk.end - chunk.start, maxChunkBytes)
        if (length > 0) frames.push(() => this.#read(chunk.start, length))
      }
    }
    await visit(movie)
    if (frames.length === 0) throw new RejectedVideo('damaged')
    return frames
  }
}

async function readStructure(reader: ChunkReader, sizeBytes: number): Promise<{ header: AviHeader; movie: Chunk }> {
  let header: AviHeader | null = null
  for await (const riff of reader.list({ start: 0, end: sizeBytes })) {
    if (riff.id !== 'AVI ') break
    for await (const chunk of reader.list({ start: riff.start, end: sizeBytes })) {
      if (chunk.id === 'hdrl') header = await readHeader(reader, chunk)
      if (chunk.id === 'movi' && header) return { header, movie: chunk }
    }
  }
  throw new RejectedVideo('damaged')
}

/** Throws RejectedVideo when there are no pictures. */
async function readHeader(reader: ChunkReader, list: Chunk): Promise<AviHeader> {
  let capturedAt: number | null = null
  let pictures: Omit<AviHeader, 'capturedAt'> | null = null
  let streams = 0
  for await (const chunk of reader.list(list)) {
    if (chunk.id === 'IDIT') capturedAt = parseAviTime((await reader.read(chunk.start, 40)).toString('latin1'))
    if (chunk.id === 'strl') pictures ??= await readStream(reader, chunk, String(streams++).padStart(2, '0'))
  }
  if (!pictures) throw new RejectedVideo('pictureless')
  return { ...pictures, capturedAt }
}

/** Returns null for a stream without pictures. */
async function readStream(
  reader: ChunkReader,
  list: Chunk,
  stream: string,
): Promise<Omit<AviHeader, 'capturedAt'> | null> {
  let timing: { framesPerSecond: number; frameCount: number } | null = null
  for await (const { id, start } of reader.list(list)) {
    if (id === 'strh') {
      const bytes = await reader.read(start, 36)
      if (bytes.length < 36 || bytes.toString('latin1', 0, 4) !== 'vids') return null
      const framesPerSecond = bytes.readUInt32LE(24) / bytes.readUInt32LE(20)
      if (!(framesPerSecond >= 0.01 && framesPerSecond <= 1000)) throw new RejectedVideo('damaged')
      timing = { framesPerSecond, frameCount: bytes.readUInt32LE(32) }
    }
    if (id === 'strf' && timing) {
      const bytes = await reader.read(start, 20)
      if (bytes.length < 20) throw new RejectedVideo('damaged')
      // A negative height says that the rows begin at the top.
      const [width, height] = [bytes.readInt32LE(4), Math.abs(bytes.readInt32LE(8))]
      return { ...timing, stream, width, height, codec: bytes.toString('latin1', 16, 20).toUpperCase() }
    }
  }
  return null
}

async function decodeFrame({ codec, width, height }: AviHeader, frames: LoadedFrame[]): Promise<Sharp> {
  if (['MJPG', 'JPEG', 'AVRN', 'DMB1'].includes(codec)) {
    return sharp(await frames.at(-1)?.(), { limitInputPixels: maxPixels })
  }
  if (!['H264', 'X264', 'AVC1', 'DAVC'].includes(codec)) throw new UnknownCodec()
  const config = { codec: 'h264', width, height, extradata: null, bits: 8 } as const
  return captureFrame(config, {}, readChunks(frames), frames.length)
}

/** The number of a frame serves as its time. B-frames are stored late, but the last frame is at the end. */
async function* readChunks(frames: LoadedFrame[]): AsyncGenerator<TimedChunk> {
  for (const [timestamp, load] of frames.entries()) yield { data: await load(), isKey: timestamp === 0, timestamp }
}
