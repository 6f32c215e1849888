import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createImageFile } from '../../../tests/support/media/image-files.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { imageWorkers } from '../../../tests/support/service/shared-edges.ts'
import type { Watermark } from './image-tasks.ts'

type Grey = { at: (x: number, y: number) => number; width: number; height: number }

const size = { width: 900, height: 600 }

/** A gray picture with this watermark, made in an image worker, where only the bundled font exists. */
async function marked(watermark: Partial<Watermark>, ground = 0, shape = size): Promise<Grey> {
  const background = { r: ground, g: ground, b: ground }
  const source = await sharp({ create: { ...shape, channels: 3, background } })
    .png()
    .toBuffer()
  const targetPath = join(await temporaryFolder(), 'marked')
  const result = await imageWorkers.run({
    kind: 'rendition',
    sourcePath: await createImageFile(source),
    maxBufferedBytes: 300e6,
    base: shape,
    targets: [{ targetPath, box: shape }],
    format: 'png',
    quality: 80,
    watermark: { text: 'Proof', style: 'corner', opacityPercent: 100, ...watermark },
    isKept: false,
    isOptimized: false,
  })
  if (result.outcome !== 'made') throw new Error(result.reason)
  const { data, info } = await sharp(await readFile(targetPath))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { at: (x, y) => data[(y * info.width + x) * info.channels] ?? 0, width: info.width, height: info.height }
}

function ink({ at, width, height }: Grey) {
  const spots: Array<[number, number]> = []
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (at(x, y) > 128) spots.push([x, y])
  const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)]
  return {
    count: spots.length,
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  }
}

/** A box, drawn for a character that the font lacks, has an outline closed on all sides. */
async function isBox(text: string): Promise<boolean> {
  const picture = await marked({ text })
  const { left, right, top, bottom } = ink(picture)
  const share = (points: Array<[number, number]>) =>
    points.filter(([x, y]) => [-1, 0, 1].some((by) => picture.at(x + by, y) > 128 || picture.at(x, y + by) > 128))
      .length / points.length
  const row = (y: number) => Array.from({ length: right - left + 1 }, (_, at): [number, number] => [left + at, y])
  const column = (x: number) => Array.from({ length: bottom - top + 1 }, (_, at): [number, number] => [x, top + at])
  return [row(top), row(bottom), column(left), column(right)].every((side) => share(side) > 0.95)
}

test('a watermark in the corner is at the lower right and changes nothing else', async () => {
  const { left, right, top, bottom, count } = ink(await marked({}))
  expect(count).toBeGreaterThan(100)
  expect(left).toBeGreaterThan(size.width / 2)
  expect(top).toBeGreaterThan(size.height / 2)
  expect(size.width - right).toBeGreaterThan(10)
  expect(size.height - bottom).toBeGreaterThan(10)
})

test('a watermark that is tiled is in every quarter of the picture', async () => {
  const picture = await marked({ style: 'tiled' })
  for (const x of [0, size.width / 2]) {
    for (const y of [0, size.height / 2]) {
      const quarter = { at: (dx: number, dy: number) => picture.at(x + dx, y + dy), width: 450, height: 300 }
      expect(ink(quarter).count).toBeGreaterThan(100)
    }
  }
})

test.each([5, 70])('a watermark of %i percent has this brightness', async (opacityPercent) => {
  const picture = await marked({ opacityPercent, text: 'MMMM' })
  let brightest = 0
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) brightest = Math.max(brightest, picture.at(x, y))
  expect(Math.abs(brightest - 2.55 * opacityPercent)).toBeLessThan(4)
})

test('a watermark is visible on white by its shadow', async () => {
  const picture = await marked({}, 255)
  const dark = { ...picture, at: (x: number, y: number) => 255 - picture.at(x, y) }
  expect(ink(dark).count).toBeGreaterThan(50)
})

test.each(['<b>A</b> & "B"', '</span>', 'a'.repeat(200)])('a watermark draws %j as plain text', async (text) => {
  expect(ink(await marked({ text })).count).toBeGreaterThan(10)
})

test('a watermark draws &amp; as five letters', async () => {
  const width = async (text: string) => {
    const { left, right } = ink(await marked({ text }))
    return right - left
  }
  expect(await width('&amp;')).toBeGreaterThan((await width('&')) * 3)
})

test.each([
  [1, 1],
  [500, 3],
  [20, 20],
])('a watermark fits a picture of %i by %i', async (width, height) => {
  for (const style of ['corner', 'tiled'] as const) {
    expect(await marked({ style, text: 'Ana & Ben' }, 0, { width, height })).toMatchObject({ width, height })
  }
})

test('the bundled font has the letters of European languages, and draws missing characters as boxes', async () => {
  for (const letter of 'ßžώЇ€') expect(await isBox(letter), letter).toBe(false)
  expect(await isBox('漢')).toBe(true)
  expect(ink(await marked({ text: 'ßžώЇ€' })).count).toBeGreaterThan(25)
})
