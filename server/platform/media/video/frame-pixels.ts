import type { VideoSample } from 'mediabunny'
import sharp, { type Sharp } from 'sharp'
import { checkFrameSize, UnknownCodec } from './video-container.ts'

/** Returns the decoded frame as an upright picture, and closes it. Throws RejectedVideo and UnknownCodec. */
export async function readPixels(frame: VideoSample): Promise<Sharp> {
  try {
    const { rotation, flip, visibleRect } = frame
    const { width, height } = visibleRect
    checkFrameSize(width, height)
    const picture = sharp(await toRgb(frame), { raw: { width, height, channels: 3 } })
    // The frame is flipped after the rotation, but sharp flips before it.
    if (flip && rotation % 180 === 0) picture.flop()
    else if (flip) picture.flip()
    return picture.rotate(rotation)
  } finally {
    frame.close()
  }
}

/** The conversion of the decoder ignores the range and the matrix of the colors. */
async function toRgb(frame: VideoSample): Promise<Uint8ClampedArray> {
  const [, sampling, bits = '8'] = /^I4(20|22|44)A?(?:P(1[02]))?$/.exec(frame.format ?? '') ?? []
  if (!sampling) throw new UnknownCodec()
  const { width, height } = frame.visibleRect
  const bytes = new Uint8Array(frame.allocationSize())
  const layout = await frame.copyTo(bytes)
  const shift = Number(bits) - 8
  const planes = layout.slice(0, 3).map(({ offset, stride }) => {
    if (shift === 0) return { samples: bytes.subarray(offset), stride }
    return { samples: new Uint16Array(bytes.buffer, offset, (bytes.length - offset) >> 1), stride: stride >> 1 }
  })
  const [luma, blue, red] = planes
  if (!luma || !blue || !red) throw new Error('The frame lacks a plane')
  const { y, rv, gu, gv, bu } = createTables(frame)
  const [acrossShift, downShift] = [sampling === '44' ? 0 : 1, sampling === '20' ? 1 : 0]
  const rgb = new Uint8ClampedArray(width * height * 3)
  for (let row = 0, at = 0; row < height; row++) {
    const lumaStart = row * luma.stride
    const chromaStart = (row >> downShift) * blue.stride
    for (let column = 0; column < width; column++, at += 3) {
      const chroma = chromaStart + (column >> acrossShift)
      const light = y[(luma.samples[lumaStart + column] ?? 0) >> shift] ?? 0
      const [u, v] = [(blue.samples[chroma] ?? 0) >> shift, (red.samples[chroma] ?? 0) >> shift]
      rgb[at] = light + (rv[v] ?? 0)
      rgb[at + 1] = light + (gu[u] ?? 0) + (gv[v] ?? 0)
      rgb[at + 2] = light + (bu[u] ?? 0)
    }
  }
  return rgb
}

/** The weights of red and blue in the brightness. */
const weights: Record<string, readonly [red: number, blue: number]> = {
  bt709: [0.2126, 0.0722],
  'bt2020-ncl': [0.2627, 0.0593],
  smpte170m: [0.299, 0.114],
  bt470bg: [0.299, 0.114],
}

/** Players take this for frames that do not say their matrix, from this height on. */
const hdHeight = 720

/** Returns what each value of a plane, cut to 8 bits, adds to a color. */
function createTables({ colorSpace, visibleRect }: VideoSample): Record<'y' | 'rv' | 'gu' | 'gv' | 'bu', Float32Array> {
  const assumed = visibleRect.height >= hdHeight ? 'bt709' : 'smpte170m'
  const [red, blue] = weights[colorSpace.matrix ?? assumed] ?? [0.2126, 0.0722]
  const green = 1 - red - blue
  const [black, lightScale, colorScale] = colorSpace.fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224]
  const table = (zero: number, scale: number) =>
    Float32Array.from({ length: 256 }, (_, value) => (value - zero) * scale)
  const rv = 2 * (1 - red) * colorScale
  const bu = 2 * (1 - blue) * colorScale
  return {
    y: table(black, lightScale),
    rv: table(128, rv),
    gu: table(128, (-bu * blue) / green),
    gv: table(128, (-rv * red) / green),
    bu: table(128, bu),
  }
}
