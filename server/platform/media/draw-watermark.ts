import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions } from 'sharp'
import type { PixelSize, Watermark } from './image-tasks.ts'

/** Open Sans SemiBold: Latin, Greek and Cyrillic. Its license (OFL) is in the same folder. */
const fontFile = fileURLToPath(new URL('./fonts/OpenSans-SemiBold.ttf', import.meta.url))

const letterShare = { tiled: 0.05, corner: 0.04 }
const minLetterPx = 8
const pointsPerLetter = 12
const pointsPerInch = 72
const tiltDegrees = -30
const shadowShare = 0.6
const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

type Mask = { data: Buffer; width: number; height: number }
type Raw = Mask & { channels: 4 }

/** White text with a shadow, for light and dark pictures. Draws Latin, Greek and Cyrillic; other letters are boxes. */
export async function drawWatermark(
  { text, style, opacityPercent }: Watermark,
  size: PixelSize,
): Promise<OverlayOptions> {
  const shorter = Math.min(size.width, size.height)
  const letterPx = Math.max(minLetterPx, Math.round(shorter * letterShare[style]))
  const maxWidth = style === 'tiled' ? shorter : size.width - 2 * letterPx
  const words = addShadow(
    await drawFittingText(text, letterPx, maxWidth),
    opacityPercent / 100,
    Math.ceil(letterPx / 20),
  )
  const gap = style === 'tiled' ? letterPx * 2 : letterPx
  const tilted = style === 'tiled' ? fromRaw(words).rotate(tiltDegrees, { background: transparent }) : fromRaw(words)
  const layer = await cropTo(await raw(fromRaw(await raw(tilted)).extend(createMargins(style, gap))), size)
  return {
    input: layer.data,
    raw: { width: layer.width, height: layer.height, channels: layer.channels },
    ...(style === 'tiled' ? { tile: true, gravity: 'centre' } : { gravity: 'southeast' }),
  }
}

const createMargins = (style: Watermark['style'], gap: number) => ({
  top: style === 'tiled' ? gap : 0,
  left: style === 'tiled' ? gap : 0,
  bottom: gap,
  right: gap,
  background: transparent,
})

async function drawFittingText(text: string, letterPx: number, maxWidth: number): Promise<Mask> {
  const words = await drawText(text, letterPx)
  if (words.width <= maxWidth) return words
  return drawText(text, Math.max(minLetterPx, Math.floor((letterPx * maxWidth) / words.width)))
}

async function drawText(text: string, letterPx: number): Promise<Mask> {
  const dpi = Math.round((letterPx * pointsPerInch) / pointsPerLetter)
  const drawn = sharp({ text: { text: escapeMarkup(text), font: 'Open Sans Semi-Bold', fontfile: fontFile, dpi } })
  const { data, info } = await drawn.extractChannel(0).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Escapes the markup of Pango, which draws the text. */
const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function addShadow(mask: Mask, opacity: number, offset: number): Raw {
  const [width, height] = [mask.width + offset, mask.height + offset]
  const data = Buffer.alloc(width * height * 4)
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= mask.width || y >= mask.height ? 0 : (mask.data[y * mask.width + x] ?? 0) / 255
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = at(x, y)
      const coverage = light + at(x - offset, y - offset) * shadowShare * (1 - light)
      data.fill(coverage === 0 ? 0 : Math.round((255 * light) / coverage), (y * width + x) * 4, (y * width + x) * 4 + 3)
      data[(y * width + x) * 4 + 3] = Math.round(255 * coverage * opacity)
    }
  }
  return { data, width, height, channels: 4 }
}

const fromRaw = ({ data, ...shape }: Raw) => sharp(data, { raw: shape })

async function raw(picture: ReturnType<typeof sharp>): Promise<Raw> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 4 }
}

async function cropTo(layer: Raw, { width, height }: PixelSize): Promise<Raw> {
  const [cutWidth, cutHeight] = [Math.min(layer.width, width), Math.min(layer.height, height)]
  if (cutWidth === layer.width && cutHeight === layer.height) return layer
  const [left, top] = [Math.floor((layer.width - cutWidth) / 2), Math.floor((layer.height - cutHeight) / 2)]
  return raw(fromRaw(layer).extract({ left, top, width: cutWidth, height: cutHeight }))
}
