import { createRequire } from 'node:module'
import { getDecoderPackage } from '../video/find-decoder.ts'

export type Codec = 'h264' | 'hevc' | 'vp8' | 'vp9' | 'av1'

export type CodecConfig = {
  codec: Codec
  width: number
  height: number
  /** The content of the box avcC, hvcC or av1C; null without one. */
  extradata: Uint8Array | null
  /** Bits of a sample. */
  bits: number
}

export type Chunk = { data: Uint8Array; isKey: boolean }

/** `400`: brightness only. `420` has half the colors of `444` in both directions, `422` across. */
export type Sampling = '400' | '420' | '422' | '444'

/** Planes of brightness, blue and red, without padding. Samples of more than 8 bits take two bytes, the lower one first. */
export type Planes = { width: number; height: number; sampling: Sampling; bits: number; bytes: Buffer }

/** A decoded frame, which keeps its memory until it is closed. */
export type Frame = { width: number; height: number; read: () => Planes; close: () => void }

/** There is no decoder for this platform. */
export class DecoderMissing extends Error {}

type NativeFrame = {
  width: number
  height: number
  allocationSize: (options: object) => number
  copyTo: (target: Buffer, options: object) => void
  close: () => void
}

type NativeDecoder = {
  configure: (config: { codec: Codec; width: number; height: number; extradata?: Buffer }) => void
  /** Calls the callbacks of the constructor before it returns. */
  decode: (data: Buffer, isKey: boolean, timestamp: number, duration: number) => void
  flush: (callback: () => void) => void
  close: () => void
}

type Native = {
  VideoDecoderNative: new (onFrame: (frame: NativeFrame) => void, onError: (message: string) => void) => NativeDecoder
}

/** Returns null if there is no decoder for this platform. */
function loadNative(): Native | null {
  try {
    return createRequire(import.meta.url)(getDecoderPackage()) as Native
  } catch {
    return null
  }
}

/**
 * Yields the decoded frames in the order in which they are shown, as soon as the decoder has them. The calling function
 * closes them. Damaged chunks are passed over; without any frame, throws the last error of the decoder. Throws DecoderMissing.
 */
export async function* decodeFrames(
  config: CodecConfig,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
): AsyncGenerator<Frame, void> {
  const module = loadNative()
  if (!module) throw new DecoderMissing()
  const { codec, width, height, extradata, bits } = config
  const waiting: NativeFrame[] = []
  let message = 'No frame was decoded'
  let count = 0
  function* takeFrames(): Generator<Frame> {
    for (let frame = waiting.shift(); frame; frame = waiting.shift()) {
      count++
      yield toFrame(frame, bits)
    }
  }
  const decoder = new module.VideoDecoderNative(
    (frame) => waiting.push(frame),
    (text) => {
      message = text
    },
  )
  try {
    // Decoders with these names never use a graphics card, whose driver must not get files of strangers.
    decoder.configure({ codec, width, height, ...(extradata && { extradata: Buffer.from(extradata) }) })
    for await (const { data, isKey } of chunks) {
      decoder.decode(Buffer.from(data), isKey, 0, 0)
      yield* takeFrames()
    }
    decoder.flush(() => undefined)
    yield* takeFrames()
    if (count === 0) throw new Error(message)
  } finally {
    for (const frame of waiting) frame.close()
    decoder.close()
  }
}

const toFrame = (frame: NativeFrame, bits: number): Frame => ({
  width: frame.width,
  height: frame.height,
  read: () => readPlanes(frame, bits),
  close: () => frame.close(),
})

const samplings: Sampling[] = ['400', '420', '422', '444']

/** Throws an error for a frame whose size fits no sampling. */
function readPlanes(frame: NativeFrame, bits: number): Planes {
  const { width, height } = frame
  const sizeBytes = frame.allocationSize({})
  const sampleBytes = bits > 8 ? 2 : 1
  const sampling = samplings.find((one) => {
    const { columns, rows } = measureColors(one, width, height)
    return sizeBytes === sampleBytes * (width * height + 2 * columns * rows)
  })
  if (!sampling) throw new Error(`A frame of ${width} × ${height} has ${sizeBytes} bytes`)
  const bytes = Buffer.allocUnsafe(sizeBytes)
  frame.copyTo(bytes, {})
  return { width, height, sampling, bits, bytes }
}

/** Returns the size of a plane of blue or red. */
export function measureColors(sampling: Sampling, width: number, height: number): { columns: number; rows: number } {
  if (sampling === '400') return { columns: 0, rows: 0 }
  return {
    columns: sampling === '444' ? width : (width + 1) >> 1,
    rows: sampling === '420' ? (height + 1) >> 1 : height,
  }
}
