import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  animatedPicture,
  createImageFile,
  plainPicture,
  withLargeSegments,
} from '../../../tests/support/media/image-files.ts'
import { estimateDecodingBytes, type ImageHeader, readImageHeader } from './image-header.ts'
import type { ImageKind } from './image-kinds.ts'

const headerOf = async (bytes: Uint8Array | string): Promise<ImageHeader | null> =>
  readImageHeader(await createImageFile(bytes))

const picture = plainPicture(123, 45)
const size = { width: 123, height: 45 }
const noSize = { width: null, height: null }

const files: Array<[string, () => Promise<Buffer>, ImageHeader]> = [
  ['a baseline JPEG', () => picture.clone().jpeg().toBuffer(), { kind: 'jpeg', ...size, isFullyBuffered: false }],
  [
    'a progressive JPEG',
    () => picture.clone().jpeg({ progressive: true }).toBuffer(),
    { kind: 'jpeg', ...size, isFullyBuffered: true },
  ],
  ['a PNG', () => picture.clone().png().toBuffer(), { kind: 'png', ...size, isFullyBuffered: false }],
  [
    'an interlaced PNG',
    () => picture.clone().png({ progressive: true }).toBuffer(),
    { kind: 'png', ...size, isFullyBuffered: true },
  ],
  ['a lossy WebP', () => picture.clone().webp().toBuffer(), { kind: 'webp', ...size, isFullyBuffered: false }],
  [
    'a lossless WebP',
    () => picture.clone().webp({ lossless: true }).toBuffer(),
    { kind: 'webp', ...size, isFullyBuffered: true },
  ],
  [
    'an animated WebP',
    async () => (await animatedPicture(123, 45)).webp().toBuffer(),
    { kind: 'webp', ...size, isFullyBuffered: true },
  ],
  ['a GIF', () => picture.clone().gif().toBuffer(), { kind: 'gif', ...size, isFullyBuffered: true }],
  ['a TIFF', () => picture.clone().tiff().toBuffer(), { kind: 'tiff', ...noSize, isFullyBuffered: true }],
  ['an AVIF', () => picture.clone().avif({ effort: 0 }).toBuffer(), { kind: 'avif', ...noSize, isFullyBuffered: true }],
]

test.each(files)('reads kind and size from the first bytes for %s', async (_name, make, expected) => {
  expect(await headerOf(await make())).toEqual(expected)
})

test('reads kind and size from the first bytes for a HEIC by its brand', async () => {
  const start = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  expect(await headerOf(start)).toEqual({ kind: 'heic', ...noSize, isFullyBuffered: true })
})

test.each([
  [16_383, 1],
  [4096, 2],
])('reads kind and size from the first bytes for a WebP of %i × %i', async (width, height) => {
  for (const lossless of [true, false]) {
    const webp = await plainPicture(width, height).webp({ lossless, effort: 0 }).toBuffer()
    expect(await headerOf(webp)).toMatchObject({ width, height })
  }
})

test.each([1, 20])(
  'reads kind and size from the first bytes for a JPEG whose frame follows %i segments of 64 KB, and fill bytes',
  async (count) => {
    const jpeg = await picture.clone().jpeg().toBuffer()
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(7, 0xff), jpeg.subarray(2)])
    expect(await headerOf(filled)).toMatchObject(size)
    expect(await headerOf(withLargeSegments(jpeg, count))).toEqual({ kind: 'jpeg', ...size, isFullyBuffered: false })
  },
)

test.each([
  ['an empty file', ''],
  ['an SVG behind its declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a video', '\0\0\0\x18ftypisom\0\0\0\0isommp42'],
  ['a sound in the box of a WebP', 'RIFF\x24\0\0\0WAVEfmt '],
  ['one byte of a JPEG', '\xff'],
])('returns null for other files for %s', async (_name, text) => {
  expect(await headerOf(Buffer.from(text, 'latin1'))).toBeNull()
})

test.each(files)('a truncated file %s cut anywhere has its right size or none', async (_name, make, { kind }) => {
  const whole = await make()
  for (let length = 0; length < Math.min(whole.length, 700); length += length < 64 ? 3 : 71) {
    const header = await headerOf(whole.subarray(0, length))
    if (header === null) continue
    expect(header.kind).toBe(kind)
    expect([size, noSize]).toContainEqual({ width: header.width, height: header.height })
  }
})

test('a truncated file counts as held whole, of unknown memory', async () => {
  const header = await headerOf((await picture.clone().jpeg().toBuffer()).subarray(0, 100))
  expect(header).toEqual({ kind: 'jpeg', ...noSize, isFullyBuffered: true })
  expect(header && estimateDecodingBytes(header)).toBe(Number.POSITIVE_INFINITY)
})

test('random bytes never make it throw or run long', async () => {
  const riff = 'RIFF\0\0\0\0WEBPVP8'
  const starts = ['', '\xff\xd8\xff', '\x89PNG\r\n\x1a\n', `${riff} `, `${riff}L`, 'GIF89a', 'II*\0', '\0\0\0\0ftyp']
  const anyFile = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 2000 }))
  const path = await createImageFile('')
  const { writeFileSync } = await import('node:fs')
  await fc.assert(
    fc.asyncProperty(anyFile, async ([start, rest]) => {
      writeFileSync(path, Buffer.concat([Buffer.from(start, 'latin1'), rest]))
      await readImageHeader(path)
    }),
    { numRuns: 200 },
  )
})

test('only pictures held whole need memory for their pixels', () => {
  const square = { width: 10_000, height: 10_000 }
  const sized = (kind: ImageKind, isFullyBuffered: boolean) => ({ kind, ...square, isFullyBuffered })
  expect(estimateDecodingBytes(sized('jpeg', false))).toBeLessThan(50e6)
  expect(estimateDecodingBytes(sized('jpeg', true))).toBeGreaterThanOrEqual(600e6)
  expect(estimateDecodingBytes(sized('png', true))).toBeGreaterThanOrEqual(400e6)
})
