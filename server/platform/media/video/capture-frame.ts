import sharp, { type Sharp } from 'sharp'
import { type Chunk, type CodecConfig, DecoderMissing, decodeFrames, type Frame } from '../decoder/decode-frames.ts'
import { type ColorCoding, drawPlanes, type Matrix } from '../decoder/draw-planes.ts'
import { checkFrameSize, RejectedVideo, UnknownCodec } from './video-container.ts'

/** `timestamp`: when the frame is shown, in any unit. */
export type TimedChunk = Chunk & { timestamp: number }

/** What a container says about the colors, as `VideoColorSpace` of WebCodecs. */
export type ColorSpace = { matrix?: string | null | undefined; fullRange?: boolean | null | undefined }

/**
 * Decodes chunks in their stored order, from a key frame on. Returns the last frame that is shown at `timestamp` or
 * before, or else the first one. Throws RejectedVideo, UnknownCodec without a decoder, and the errors of `decodeFrames`.
 */
export async function captureFrame(
  config: CodecConfig,
  colorSpace: ColorSpace,
  chunks: AsyncIterable<TimedChunk>,
  timestamp: number,
): Promise<Sharp> {
  let dueCount = 0
  async function* counted(): AsyncGenerator<Chunk> {
    for await (const chunk of chunks) {
      if (chunk.timestamp <= timestamp) dueCount++
      yield chunk
    }
  }
  let shown: Frame | null = null
  try {
    let count = 0
    for await (const frame of decodeFrames(config, counted())) {
      // Frames come in the order in which they are shown, so that the first ones are those of the chunks that are due.
      if (shown && count >= dueCount) {
        frame.close()
        break
      }
      shown?.close()
      shown = frame
      count++
    }
    if (!shown) throw new RejectedVideo('damaged')
    return drawFrame(shown, colorSpace)
  } catch (error) {
    throw error instanceof DecoderMissing ? new UnknownCodec() : error
  } finally {
    shown?.close()
  }
}

function drawFrame(frame: Frame, colorSpace: ColorSpace): Sharp {
  const { width, height } = frame
  checkFrameSize(width, height)
  const pixels = Buffer.allocUnsafe(width * height * 3)
  const placement = { pixels, start: 0, across: 3, down: 3 * width, width, height }
  drawPlanes(frame.read(), toColorCoding(colorSpace, height), placement)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const matrices: Record<string, Matrix> = {
  bt709: 'bt709',
  'bt2020-ncl': 'bt2020',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  rgb: 'identity',
}

/** Players take BT.709 for frames that do not say their matrix, from this height on, and BT.601 below. */
const hdHeight = 720

function toColorCoding({ matrix, fullRange }: ColorSpace, height: number): ColorCoding {
  const assumed = height >= hdHeight ? 'bt709' : 'bt601'
  return { matrix: matrices[matrix ?? ''] ?? assumed, isFullRange: fullRange ?? false }
}
