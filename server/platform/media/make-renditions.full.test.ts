import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import exifr from 'exifr'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  createImageFile,
  exifWithLocation,
  noisyPicture,
  plainPicture,
} from '../../../tests/support/media/image-files.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import type { PixelSize, RenditionFacts, RenditionTask, RequestMemory } from './image-tasks.ts'
import { makeRenditions } from './make-renditions.ts'

type Options = Partial<Omit<RenditionTask, 'kind' | 'base' | 'targets' | 'sourcePath'>>
type Rendered = { facts: RenditionFacts; picture: Buffer }

async function renderedInto(
  bytes: Buffer,
  boxes: PixelSize[],
  options: Options = {},
  requestMemory: RequestMemory = async () => {},
): Promise<Rendered[]> {
  const folder = await temporaryFolder()
  const targets = boxes.map((box, index) => ({ box, targetPath: join(folder, `rendition-${index}`) }))
  const all = await makeRenditions(
    {
      kind: 'rendition',
      sourcePath: await createImageFile(bytes),
      base: boxes[0] ?? { width: 1, height: 1 },
      targets,
      maxBufferedBytes: 300e6,
      format: 'jpeg',
      quality: 80,
      watermark: null,
      isKept: true,
      isOptimized: true,
      ...options,
    },
    requestMemory,
  )
  return Promise.all(
    all.map(async (facts, index) => ({ facts, picture: await readFile(targets[index]?.targetPath ?? '') })),
  )
}

/** Makes one rendition, by default at most 640 pixels wide. */
async function rendered(bytes: Buffer, { box, ...options }: Options & { box?: PixelSize } = {}): Promise<Rendered> {
  const [one] = await renderedInto(bytes, [box ?? { width: 640, height: 16_383 }], options)
  if (!one) throw new Error('nothing was made')
  return one
}

const formats = ['jpeg', 'webp', 'png'] as const

describe.each(formats)('as %s', (format) => {
  test.each([true, false])('matches its facts (kept: %s)', async (isKept) => {
    const { facts, picture } = await rendered(await noisyPicture(1000, 700).jpeg().toBuffer(), { format, isKept })
    expect(await sharp(picture).metadata()).toMatchObject({ format, width: 640, height: 448 })
    expect(facts).toEqual({
      width: 640,
      height: 448,
      sizeBytes: picture.length,
      sha256: createHash('sha256').update(picture).digest('hex'),
      crc32: crc32(picture),
    })
  })
})

test('has no metadata of its source, with and without a watermark', async () => {
  const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/">SerialNumber 12345</x:xmpmeta>'
  const picture = plainPicture(1000, 700).withExif(exifWithLocation).withXmp(xmp).withIccProfile('p3')
  const source = await picture.jpeg().toBuffer()
  expect(await exifr.gps(source)).toMatchObject({ latitude: 51.5 })
  for (const format of [...formats, 'avif'] as const) {
    for (const watermark of [null, { text: 'x', style: 'tiled', opacityPercent: 50 } as const]) {
      const { picture } = await rendered(source, { format, watermark })
      const { exif, xmp, iptc, icc } = await sharp(picture).metadata()
      expect({ exif, xmp, iptc, icc }).toEqual({})
      for (const hidden of ['GPS', '12345', 'Camera']) expect(picture.includes(hidden)).toBe(false)
    }
  }
})

test.each([
  [{ width: 640, height: 480 }, [640, 320]],
  [{ width: 1, height: 1 }, [1, 1]],
  [{ width: 1200, height: 600 }, [1200, 600]],
  [{ width: 16_384, height: 300 }, [600, 300]],
])('the size inside %o is %o, never larger than the picture', async (box, [width, height]) => {
  const { facts } = await rendered(await plainPicture(1200, 600).jpeg().toBuffer(), { box })
  expect(facts).toMatchObject({ width, height })
})

test('the size of a very tall picture stays within the limits of WebP', async () => {
  const { facts } = await rendered(await plainPicture(640, 20_000).png().toBuffer(), { format: 'webp' })
  expect(facts).toMatchObject({ width: 524, height: 16_383 })
})

test('has the colors of its source without the profile', async () => {
  const green = { create: { width: 60, height: 40, channels: 3 as const, background: { r: 0, g: 160, b: 0 } } }
  const wide = await sharp(green).withIccProfile('p3', { attach: true }).png().toBuffer()
  const storedPixel = async (bytes: Buffer) => [
    ...(await sharp(bytes).keepIccProfile().raw().toBuffer()).subarray(0, 3),
  ]
  expect((await storedPixel(wide))[0]).toBeGreaterThan(50)
  const [red = 255, seenGreen = 0, blue = 255] = await storedPixel((await rendered(wide, { format: 'png' })).picture)
  expect(Math.max(red, blue)).toBeLessThan(4)
  expect(Math.abs(seenGreen - 160)).toBeLessThan(4)
})

test('keeps transparency, and shows white instead as JPEG', async () => {
  const clear = sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
  const source = await clear.png().toBuffer()
  for (const format of ['webp', 'png'] as const) {
    expect((await sharp((await rendered(source, { format })).picture).stats()).isOpaque).toBe(false)
  }
  const { dominant } = await sharp((await rendered(source)).picture).stats()
  expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240)
})

test('requests twice the memory for the pixels of a transparent picture', async () => {
  const requestedFor = async (picture: Sharp) => {
    let requestedBytes = 0
    const bytes = await picture.png().toBuffer()
    await renderedInto(bytes, [{ width: 60, height: 40 }], { format: 'webp' }, async (requested) => {
      requestedBytes = requested
    })
    return requestedBytes - 32 * 2 ** 20
  }
  expect(await requestedFor(plainPicture(60, 40))).toBe(60 * 40 * 9)
  expect(await requestedFor(plainPicture(60, 40).ensureAlpha(0.5))).toBe(60 * 40 * 18)
})

test('rejects a truncated picture', async () => {
  const whole = await noisyPicture(800, 600).jpeg().toBuffer()
  await rendered(whole)
  await expect(rendered(whole.subarray(0, whole.length * 0.6))).rejects.toThrow()
})
