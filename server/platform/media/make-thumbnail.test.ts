import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import {
  createImageFile,
  createQuarteredPicture,
  noisyPicture,
  plainPicture,
  readQuarters,
} from '../../../tests/support/media/image-files.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import type { PictureFacts } from './image-tasks.ts'
import { makeThumbnail } from './make-thumbnail.ts'

type Made = { facts: PictureFacts; thumbnail: Buffer }

async function thumbnailOf(bytes: Buffer, maxBufferedBytes = 300e6): Promise<Made> {
  const thumbnailPath = join(await temporaryFolder(), 'thumbnail')
  const sourcePath = await createImageFile(bytes)
  const facts = await makeThumbnail({ sourcePath, thumbnailPath, maxBufferedBytes }, async () => {})
  return { facts, thumbnail: await readFile(thumbnailPath) }
}

const pixelOf = async (picture: Buffer): Promise<number[]> => {
  const { data } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)]
}

test('a thumbnail is upright for each EXIF orientation', async () => {
  for (const [index, stored] of ['RGBW', 'GRWB', 'WBGR', 'BWRG', 'RBGW', 'GWRB', 'WGBR', 'BRWG'].entries()) {
    const picture = await createQuarteredPicture(...((index < 4 ? [600, 400] : [400, 600]) as [number, number]), stored)
    const source = await picture
      .withMetadata({ orientation: index + 1 })
      .jpeg()
      .toBuffer()
    const { facts, thumbnail } = await thumbnailOf(source)
    expect(await readQuarters(thumbnail), stored).toBe('RGBW')
    expect(facts).toMatchObject({ width: 600, height: 400 })
    expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 480, height: 320 })
  }
})

test('a thumbnail fits into its square, is a JPEG, matches its facts and is never larger than the picture', async () => {
  const { facts, thumbnail } = await thumbnailOf(await plainPicture(500, 2000).png().toBuffer())
  expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg', width: 120, height: 480 })
  expect(facts.thumbnail.sizeBytes).toBe(thumbnail.length)
  expect(facts.thumbnail.sha256).toBe(createHash('sha256').update(thumbnail).digest('hex'))
  expect(Buffer.from(facts.thumbhash, 'base64').length).toBeGreaterThan(4)
  expect(facts.thumbhash.length).toBeLessThan(40)
  const small = await thumbnailOf(await plainPicture(10, 7).png().toBuffer())
  expect(await sharp(small.thumbnail).metadata()).toMatchObject({ width: 10, height: 7 })
  expect(small.facts).toMatchObject({ width: 10, height: 7 })
})

test('a thumbnail of a CMYK picture has screen colors', async () => {
  const cmyk = await plainPicture(60, 40).toColourspace('cmyk').jpeg().toBuffer()
  expect(await sharp(cmyk).metadata()).toMatchObject({ space: 'cmyk', channels: 4 })
  const { thumbnail } = await thumbnailOf(cmyk)
  expect(await sharp(thumbnail).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
  const [red = 0, green = 0, blue = 0] = await pixelOf(thumbnail)
  expect(red).toBeGreaterThan(150)
  expect(Math.max(green, blue)).toBeLessThan(130)
})

test('a thumbnail shows white where the picture is transparent', async () => {
  const clear = sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
  for (const bytes of [await clear.clone().png().toBuffer(), await clear.clone().webp().toBuffer()]) {
    expect(await pixelOf((await thumbnailOf(bytes)).thumbnail)).toEqual([255, 255, 255])
  }
})

test('a thumbnail has no metadata of the picture', async () => {
  const exif = { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } }
  const { thumbnail } = await thumbnailOf(await plainPicture(60, 40).withExif(exif).jpeg().toBuffer())
  expect((await sharp(thumbnail).metadata()).exif).toBeUndefined()
})

test.each([
  ['a JPEG', (picture: Sharp) => picture.jpeg()],
  ['a progressive JPEG', (picture: Sharp) => picture.jpeg({ progressive: true })],
  ['a PNG', (picture: Sharp) => picture.png()],
  ['a WebP', (picture: Sharp) => picture.webp()],
])('rejects a file when %s is truncated', async (_name, format) => {
  const whole = await format(noisyPicture(400, 300)).toBuffer()
  await thumbnailOf(whole)
  await expect(thumbnailOf(whole.subarray(0, whole.length * 0.6))).rejects.toThrow()
})

test('rejects a file that only begins like an image', async () => {
  const jpeg = await noisyPicture(40, 30).jpeg().toBuffer()
  await expect(thumbnailOf(Buffer.concat([jpeg.subarray(0, 200), Buffer.alloc(5000, 0x41)]))).rejects.toThrow()
})

test('rejects a file of a kind with a late size that needs more memory than allowed', async () => {
  const tiff = await plainPicture(1000, 1000).tiff().toBuffer()
  await thumbnailOf(tiff, 6e6)
  await expect(thumbnailOf(tiff, 6e6 - 1)).rejects.toThrow('more pixels')
})
