import sharp from 'sharp'
import { scenes } from './scenes/index.ts'
import type { Frame, Layer } from './scenes/scene.ts'

/** Rows of red, green, blue and, with 4 channels, alpha; 0 to 255. */
type Raster = { data: Buffer; width: number; height: number; channels: 3 | 4 }

const clampByte = (value: number) => Math.max(0, Math.min(255, value))
const fromRaw = ({ data, width, height, channels }: Raster) => sharp(data, { raw: { width, height, channels } })

/** Returns a deterministic generator of numbers from 0 to below 1. */
function seededRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function enlarge(small: Raster, width: number, height: number): Promise<Raster> {
  if (small.width === width && small.height === height) return small
  const data = await fromRaw(small).resize(width, height, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer()
  return { ...small, data, width, height }
}

function paintShader(frame: Frame, layer: Extract<Layer, { detail: number }>, width: number, height: number): Raster {
  const data = Buffer.alloc(width * height * 3)
  const out = { r: 0.5, g: 0.5, b: 0.5 }
  const unit = frame.width / width
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      layer.paint((column + 0.5) * unit, (row + 0.5) * unit, out)
      // Random rounding avoids visible bands in smooth skies.
      const dither = frame.random()
      data[at++] = clampByte(out.r * 255 + dither)
      data[at++] = clampByte(out.g * 255 + dither)
      data[at++] = clampByte(out.b * 255 + dither)
    }
  }
  return { data, width, height, channels: 3 }
}

async function drawSvg(frame: Frame, svg: string, width: number, height: number, blurPx: number): Promise<Raster> {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${frame.width} ${frame.height}"`
  const root = `<svg xmlns="http://www.w3.org/2000/svg" preserveAspectRatio="none" ${size}>${svg}</svg>`
  const drawing = sharp(Buffer.from(root)).ensureAlpha()
  const data = await (blurPx < 0.3 ? drawing : drawing.blur(blurPx)).raw().toBuffer()
  return { data, width, height, channels: 4 }
}

/** Blurred layers are rendered small and enlarged, because the time depends on the number of pixels. */
async function rasterLayer(frame: Frame, layer: Layer, width: number, height: number): Promise<Raster> {
  const blurPx = 'blur' in layer ? (layer.blur * width) / frame.width : 0
  const scale = 'blur' in layer ? 1.5 / Math.max(1.5, blurPx) : layer.detail
  const [smallWidth, smallHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)]
  const small =
    'blur' in layer
      ? await drawSvg(frame, layer.svg, smallWidth, smallHeight, blurPx * scale)
      : paintShader(frame, layer, smallWidth, smallHeight)
  return enlarge(small, width, height)
}

function compose(canvas: Float32Array, { data, channels }: Raster, isLight: boolean): void {
  for (let from = 0, to = 0; from < data.length; from += channels, to += 3) {
    const alpha = channels === 4 ? (data[from + 3] as number) / 255 : 1
    if (alpha === 0) continue
    for (let part = 0; part < 3; part++) {
      const below = canvas[to + part] as number
      const above = ((data[from + part] as number) / 255) * alpha
      canvas[to + part] = below * (1 - (isLight ? above : alpha)) + above
    }
  }
}

async function renderScene(kind: number, width: number, height: number, random: () => number): Promise<Float32Array> {
  const unit = 1000 / Math.min(width, height)
  const frame: Frame = { width: width * unit, height: height * unit, random }
  const layers = scenes[kind % scenes.length]?.(frame) ?? []
  const canvas = new Float32Array(width * height * 3)
  // In reverse, so that SVG layers above a shader start first: other threads draw these layers while this thread runs
  // the shader.
  const rasters = layers.toReversed().map((layer) => rasterLayer(frame, layer, width, height))
  for (const [at, raster] of rasters.reverse().entries()) {
    const layer = layers[at] as Layer
    compose(canvas, await raster, 'light' in layer && layer.light)
  }
  return canvas
}

const toRaster = (canvas: Float32Array, width: number, height: number, tone: (value: number) => number): Raster => {
  const data = Buffer.alloc(canvas.length)
  for (let at = 0; at < canvas.length; at++) data[at] = clampByte(tone(canvas[at] as number) * 255)
  return { data, width, height, channels: 3 }
}

async function renderBloom(canvas: Float32Array, width: number, height: number): Promise<Raster> {
  const bright = toRaster(canvas, width, height, (value) => value * 2 - 1)
  const size = { width: Math.ceil(width / 12), height: Math.ceil(height / 12) }
  const small = await fromRaw(bright)
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer()
  const blurred = await fromRaw({ ...bright, ...size, data: small })
    .blur(3)
    .raw()
    .toBuffer()
  return enlarge({ ...bright, ...size, data: blurred }, width, height)
}

/** Approximately normal noise. The length is a power of two, so that `& 65535` repeats it. */
const makeGrain = (random: () => number) =>
  Float32Array.from({ length: 2 ** 16 }, () => (random() + random() + random() + random() - 2) * 1.73)

async function develop(canvas: Float32Array, width: number, height: number, random: () => number): Promise<Raster> {
  const { data: bloom } = await renderBloom(canvas, width, height)
  const data = Buffer.alloc(canvas.length)
  const grain = makeGrain(random)
  const isMonochrome = random() < 0.07
  const warmth = 1 + (random() - 0.5) * 0.07
  const tone = (at: number, exposure: number) => {
    const value = 1 - (1 - (canvas[at] as number) * exposure) * (1 - ((bloom[at] as number) / 255) * 0.22)
    return 0.012 + 0.985 * (value + 0.12 * value * (1 - value) * (2 * value - 1))
  }
  for (let row = 0, at = 0; row < height; row++) {
    const shift = Math.floor(random() * grain.length)
    for (let column = 0; column < width; column++, at += 3) {
      const away = (column / width - 0.5) ** 2 + (row / height - 0.5) ** 2
      const corner = 1 - 0.62 * away * Math.sqrt(away)
      const [r, g, b] = [tone(at, corner * warmth), tone(at + 1, corner), tone(at + 2, corner / warmth)]
      const luma = 0.3 * r + 0.59 * g + 0.11 * b
      const speck = (grain[(shift + column) & 65535] as number) + (grain[(shift + column + 1) & 65535] as number)
      const noise = speck * (1.5 + 4.5 * luma * (1 - luma))
      data[at] = clampByte((isMonochrome ? luma : r) * 255 + noise)
      data[at + 1] = clampByte((isMonochrome ? luma : g) * 255 + noise)
      data[at + 2] = clampByte((isMonochrome ? luma : b) * 255 + noise)
    }
  }
  return { data, width, height, channels: 3 }
}

/** EXIF of an invented camera, starting on 20 June 2026. Pictures are two to six minutes apart. */
function createExif(index: number, random: () => number) {
  const taken = new Date(Date.UTC(2026, 5, 20, 13, 4) + (index * 4 + random() * 2) * 60_000)
  const written = taken.toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':')
  return { IFD0: { Make: 'Proofroom', Model: 'Sample One' }, IFD2: { DateTimeOriginal: written } }
}

/** 7 entries and 12 scenes: these numbers have no common factor, so every scene gets every format. */
const formats = ['3:2', '2:3', '3:2', '1:1', '2:3', '3:2', '16:9']

/** Returns an artificial photo with EXIF. The same index always gives the same picture. */
export async function samplePicture(
  index: number,
  { longEdgePx = 1800 }: { longEdgePx?: number } = {},
): Promise<{ filename: string; bytes: Buffer }> {
  const random = seededRandom(index)
  const format = formats[index % formats.length] as string
  const [across = 1, down = 1] = format.split(':').map(Number)
  const scale = longEdgePx / Math.max(across, down)
  const [width, height] = [Math.round(across * scale), Math.round(down * scale)]
  const exif = createExif(index, random)
  const canvas = await renderScene(index, width, height, random)
  const picture = fromRaw(await develop(canvas, width, height, random))
  return { filename: `IMG_${2041 + index}.jpg`, bytes: await picture.withExif(exif).jpeg({ quality: 88 }).toBuffer() }
}

/** Returns a JPEG with the size of a camera file, about 3 bits per pixel. The same options give the same bytes. */
export async function noisyPicture(options: { width: number; height: number; seed: number }): Promise<Buffer> {
  const { width, height, seed } = options
  const random = seededRandom(seed)
  const scale = Math.min(1, 900 / Math.max(width, height))
  const [smallWidth, smallHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)]
  const canvas = await renderScene(seed, smallWidth, smallHeight, random)
  const small = toRaster(canvas, smallWidth, smallHeight, (value) => value)
  const picture = await enlarge(small, width, height)
  const grain = makeGrain(random).map((speck) => speck * 12)
  for (let row = 0, at = 0; row < height; row++) {
    const shift = Math.floor(random() * grain.length)
    for (let column = 0; column < width; column++, at += 3) {
      const noise = grain[(shift + column) & 65535] as number
      for (let part = at; part < at + 3; part++) picture.data[part] = clampByte((picture.data[part] as number) + noise)
    }
  }
  return fromRaw(picture).jpeg({ quality: 88 }).toBuffer()
}
