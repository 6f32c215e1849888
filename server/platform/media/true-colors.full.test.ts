import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { createImageFile, createQuarteredPicture, readQuarters } from '../../../tests/support/media/image-files.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import type { RenditionFormat, Watermark } from './image-tasks.ts'
import { makeRenditions } from './make-renditions.ts'

const widths = [300, 200, 100]

/** Makes several widths from one decode, like the renditions of a photo. */
async function ladderOf(
  source: Buffer,
  format: RenditionFormat,
  watermark: Watermark | null = null,
): Promise<Buffer[]> {
  const folder = await temporaryFolder()
  const targets = widths.map((width) => ({ targetPath: join(folder, String(width)), box: { width, height: 16_383 } }))
  await makeRenditions(
    {
      kind: 'rendition',
      sourcePath: await createImageFile(source),
      maxBufferedBytes: 300e6,
      base: { width: 300, height: 16_383 },
      targets,
      format,
      quality: 90,
      watermark,
      isKept: true,
      isOptimized: true,
    },
    async () => {},
  )
  return Promise.all(targets.map(({ targetPath }) => readFile(targetPath)))
}

/** Returns the mean difference of the channel values (0 to 255) from the reference, which sharp alone decodes. */
async function differenceFrom(reference: Sharp, picture: Buffer): Promise<number> {
  const { width, height } = await sharp(picture).metadata()
  const [seen, wanted] = await Promise.all([
    sharp(picture).flatten({ background: '#fff' }).toColourspace('srgb').raw().toBuffer(),
    reference
      .resize({ width, height, fit: 'fill' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer(),
  ])
  expect(seen.length).toBe(wanted.length)
  let sum = 0
  for (const [index, value] of seen.entries()) sum += Math.abs(value - (wanted[index] ?? 0))
  return sum / seen.length
}

function colorful(width: number, height: number): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      data[at] = (255 * x) / width
      data[at + 1] = (255 * y) / height
      data[at + 2] = 128 + 100 * Math.sin((x + y) / 60)
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

const halfClear = async (): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 400, channels: 4, background: { r: 200, g: 40, b: 90, alpha: 0.5 } } })
    .png()
    .toBuffer()

async function animated(): Promise<Buffer> {
  const first = await colorful(600, 400).png().toBuffer()
  const second = await sharp(first).negate().png().toBuffer()
  return sharp([first, second], { join: { animated: true } })
    .gif()
    .toBuffer()
}

const sources: Array<[string, () => Promise<Buffer>]> = [
  ['a JPEG', () => colorful(600, 400).jpeg().toBuffer()],
  ['a progressive JPEG', () => colorful(600, 400).jpeg({ progressive: true }).toBuffer()],
  ['a JPEG with a wide profile', () => colorful(600, 400).withIccProfile('p3').jpeg().toBuffer()],
  ['a CMYK JPEG', () => colorful(600, 400).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()],
  ['a grey JPEG', () => colorful(600, 400).toColourspace('b-w').jpeg().toBuffer()],
  ['a PNG with transparency', halfClear],
  ['a PNG of 16 bits', () => colorful(600, 400).toColourspace('rgb16').png().toBuffer()],
  ['a PNG with a palette', () => colorful(600, 400).png({ palette: true }).toBuffer()],
  ['a WebP', () => colorful(600, 400).webp().toBuffer()],
  ['an AVIF', () => colorful(600, 400).avif().toBuffer()],
  ['a TIFF', () => colorful(600, 400).tiff().toBuffer()],
  ['the first frame of an animated GIF', animated],
]

describe.each(sources)('%s', (_name, make) => {
  test('has its colors in every width, also beside a watermark', { tags: 'nightly' }, async () => {
    const source = await make()
    const reference = () => sharp(source).autoOrient()
    for (const picture of await ladderOf(source, 'webp'))
      expect(await differenceFrom(reference(), picture)).toBeLessThan(4)
    const watermark = { text: 'x', style: 'corner', opacityPercent: 100 } as const
    for (const picture of await ladderOf(source, 'png', watermark)) {
      const difference = await differenceFrom(reference(), picture)
      expect(difference).toBeGreaterThan(0)
      expect(difference).toBeLessThan(8)
    }
  })
})

test.each(['jpeg', 'avif'] as const)('a picture has its colors in every width, as %s', async (format) => {
  const source = await colorful(600, 400).jpeg().toBuffer()
  for (const picture of await ladderOf(source, format))
    expect(await differenceFrom(sharp(source), picture)).toBeLessThan(4)
})

test.each([
  [3, 'WBGR'],
  [6, 'GWRB'],
  [7, 'WGBR'],
])('every width is upright for EXIF orientation %i, with its watermark', async (orientation, stored) => {
  const [width, height] = orientation <= 4 ? [600, 400] : [400, 600]
  const source = await (await createQuarteredPicture(width, height, stored))
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()
  for (const picture of await ladderOf(source, 'webp')) expect(await readQuarters(picture)).toBe('RGBW')
  const watermark = { text: 'MMMM', style: 'corner', opacityPercent: 100 } as const
  const black = await sharp({ create: { width, height, channels: 3, background: '#000' } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()
  const [largest = Buffer.alloc(0)] = await ladderOf(black, 'png', watermark)
  const lowerRight = await sharp(largest).extract({ left: 150, top: 100, width: 150, height: 100 }).stats()
  expect(lowerRight.channels[0]?.max).toBeGreaterThan(200)
})

test('a picture with a gain map looks like the one without', async () => {
  const primary = await colorful(600, 400).jpeg().toBuffer()
  const map = await sharp({ create: { width: 150, height: 100, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
  // The second image follows the first, as in multi-picture files.
  const source = Buffer.concat([primary, map])
  for (const picture of await ladderOf(source, 'webp')) {
    expect(await differenceFrom(sharp(primary), picture)).toBeLessThan(4)
  }
})
