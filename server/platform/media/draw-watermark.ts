import sharp, { type OverlayOptions } from 'sharp'
import { fontFile } from './font-files.ts'
import type { PixelSize, Watermark } from './image-tasks.ts'

const letterShare = { tiled: 0.05, corner: 0.04 }
const smallestLetterPx = 8
const pointsPerLetter = 12
const pointsPerInch = 72
const tiltDegrees = -30
const shadowShare = 0.6
const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

type Mask = { data: Buffer; width: number; height: number }
type Raw = Mask & { channels: 4 }

/**
 * White with a dark shadow, which is visible on any background. Letters other than Latin, Greek and Cyrillic show as
 * boxes.
 */
export async function drawWatermark(
  { text, style, opacityPercent }: Watermark,
  size: PixelSize,
): Promise<OverlayOptions> {
  const shorter = Math.min(size.width, size.height)
  const letterPx = Math.max(smallestLetterPx, Math.round(shorter * letterShare[style]))
  const widest = style === 'tiled' ? shorter : size.width - 2 * letterPx
  const words = withShadow(
    await drawFittingText(text, letterPx, widest),
    opacityPercent / 100,
    Math.ceil(letterPx / 20),
  )
  const gap = style === 'tiled' ? letterPx * 2 : letterPx
  const tilted = style === 'tiled' ? fromRaw(words).rotate(tiltDegrees, { background: transparent }) : fromRaw(words)
  const layer = await cutTo(await raw(fromRaw(await raw(tilted)).extend(marginsOf(style, gap))), size)
  return {
    input: layer.data,
    raw: { width: layer.width, height: layer.height, channels: layer.channels },
    ...(style === 'tiled' ? { tile: true, gravity: 'centre' } : { gravity: 'southeast' }),
  }
}

const marginsOf = (style: Watermark['style'], gap: number) => ({
  top: style === 'tiled' ? gap : 0,
  left: style === 'tiled' ? gap : 0,
  bottom: gap,
  right: gap,
  background: transparent,
})

async function drawFittingText(text: string, letterPx: number, widest: number): Promise<Mask> {
  const words = await drawText(text, letterPx)
  if (words.width <= widest) return words
  return drawText(text, Math.max(smallestLetterPx, Math.floor((letterPx * widest) / words.width)))
}

async function drawText(text: string, letterPx: number): Promise<Mask> {
  const dpi = Math.round((letterPx * pointsPerInch) / pointsPerLetter)
  const drawn = sharp({ text: { text: escaped(text), font: 'Open Sans Semi-Bold', fontfile: fontFile, dpi } })
  const { data, info } = await drawn.extractChannel(0).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Escapes the markup of Pango, which draws the text. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function withShadow(mask: Mask, opacity: number, offset: number): Raw {
  const [width, height] = [mask.width + offset, mask.height + offset]
  const data = Buffer.alloc(width * height * 4)
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= mask.width || y >= mask.height ? 0 : (mask.data[y * mask.width + x] ?? 0) / 255
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = at(x, y)
      const shown = light + at(x - offset, y - offset) * shadowShare * (1 - light)
      data.fill(shown === 0 ? 0 : Math.round((255 * light) / shown), (y * width + x) * 4, (y * width + x) * 4 + 3)
      data[(y * width + x) * 4 + 3] = Math.round(255 * shown * opacity)
    }
  }
  return { data, width, height, channels: 4 }
}

const fromRaw = ({ data, ...shape }: Raw) => sharp(data, { raw: shape })

async function raw(picture: ReturnType<typeof sharp>): Promise<Raw> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 4 }
}

async function cutTo(layer: Raw, { width, height }: PixelSize): Promise<Raw> {
  const [cutWidth, cutHeight] = [Math.min(layer.width, width), Math.min(layer.height, height)]
  if (cutWidth === layer.width && cutHeight === layer.height) return layer
  const [left, top] = [Math.floor((layer.width - cutWidth) / 2), Math.floor((layer.height - cutHeight) / 2)]
  return raw(fromRaw(layer).extract({ left, top, width: cutWidth, height: cutHeight }))
}
