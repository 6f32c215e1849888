import { buffer } from 'node:stream/consumers'
import { createDeflate } from 'node:zlib'
import { expect, test } from 'vitest'
import { createImageFile, plainPicture } from '../../../tests/support/media/image-files.ts'
import { insertPngChunk } from '../../../tests/support/media/pictures-with-location.ts'
import { rawFile } from '../../../tests/support/media/raw-files.ts'
import { readCaptureTime } from './capture-time.ts'
import { readCamera } from './read-camera.ts'
import { readExif } from './read-exif.ts'

const taken = '2024:05:04 10:20:30'
const takenMs = Date.UTC(2024, 4, 4, 10, 20, 30)
const photo = () =>
  plainPicture(60, 40).withExif({
    IFD0: { Make: 'Maker', Model: 'One' },
    IFD2: { DateTimeOriginal: taken, FNumber: '28/10', LensModel: 'Lens 50mm' },
  })
const camera = { camera: 'Maker One', lens: 'Lens 50mm', aperture: 2.8 }

test.each(['jpeg', 'png', 'avif'] as const)('reads the tags of %s', async (format) => {
  const path = await createImageFile(await photo().toFormat(format).toBuffer())
  expect(await readCaptureTime(path)).toBe(takenMs)
  expect(await readCamera(path)).toMatchObject(camera)
})

test.each(['II*\0', 'IIRO', 'IIU\0'])('reads the time of a raw file that begins with %j', async (start) => {
  const raw = rawFile(taken, 'x'.repeat(200_000))
  raw.write(start, 0, 'latin1')
  expect(await readCaptureTime(await createImageFile(raw))).toBe(takenMs)
})

test('reads the tags after other segments of a JPEG', async () => {
  const jpeg = await photo().jpeg().toBuffer()
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0x75, 0x32]), Buffer.alloc(30_000, 'x')])
  const path = await createImageFile(Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]))
  expect(await readCaptureTime(path)).toBe(takenMs)
})

test('does not inflate the color profile of a PNG', async () => {
  const profile = Buffer.concat([Buffer.from('x\0\0'), await deflatedZeros(256)])
  const path = await createImageFile(insertPngChunk(await photo().png().toBuffer(), 'iCCP', profile))
  const before = process.resourceUsage().maxRSS
  expect(await readCaptureTime(path)).toBe(takenMs)
  expect(await readCamera(path)).toMatchObject(camera)
  const grownKib = process.resourceUsage().maxRSS - before
  expect(grownKib).toBeLessThan(64 * 1024)
})

async function deflatedZeros(mebibytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 1 })
  const deflated = buffer(deflate)
  const zeros = Buffer.alloc(2 ** 20)
  for (let done = 0; done < mebibytes; done++) await new Promise((resolve) => deflate.write(zeros, resolve))
  deflate.end()
  return deflated
}

type Entry = [tag: number, type: number, count: number, value: number]

function jpegWithDirectory(jpeg: Buffer, entries: Entry[], blockBytes: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write('II*\0', 0, 'latin1')
  block.writeUInt32LE(8, 4)
  block.writeUInt16LE(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    block.writeUInt16LE(tag, at)
    block.writeUInt16LE(type, at + 2)
    block.writeUInt32LE(count, at + 4)
    block.writeUInt32LE(value, at + 8)
  }
  const head = Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1')
  head.writeUInt16BE(blockBytes + 8, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, block, jpeg.subarray(2)])
}

const plainJpeg = () => plainPicture(6, 4).jpeg().toBuffer()

test('reads thousands of overlapping long values of a directory in a moment', async () => {
  const entries = Array.from({ length: 4900 }, (_, index): Entry => {
    const tag = [0x8769, 0x8825, 0x014a, 0x927c][index % 4] as number
    return [tag, 4, index % 2 === 0 ? 14_000 : 1, 8]
  })
  const path = await createImageFile(jpegWithDirectory(await plainJpeg(), entries, 60_000))
  const before = process.cpuUsage()
  expect(await readExif(path)).toEqual({})
  const { user } = process.cpuUsage(before)
  expect(user / 1000).toBeLessThan(1000)
})

test('ignores values that are lists, too long, outside of the block or of an unknown type', async () => {
  const entries: Entry[] = [
    [0x010f, 2, 4_000_000_000, 8],
    [0x0110, 2, 20, 4_000_000_000],
    [0x8769, 4, 1, 100],
  ]
  const jpeg = jpegWithDirectory(await plainJpeg(), entries, 400)
  const exifDirectory: Entry[] = [
    [0x8827, 3, 2, 0x00640064],
    [0x829d, 5, 1, 396],
    [0x829a, 99, 1, 8],
    [0x920a, 3, 1, 50],
  ]
  const at = jpeg.indexOf('II*\0') + 100
  jpeg.writeUInt16LE(exifDirectory.length, at)
  for (const [index, [tag, type, count, value]] of exifDirectory.entries()) {
    const entry = at + 2 + index * 12
    jpeg.writeUInt16LE(tag, entry)
    jpeg.writeUInt16LE(type, entry + 2)
    jpeg.writeUInt32LE(count, entry + 4)
    jpeg.writeUInt32LE(value, entry + 8)
  }
  const { Make, ...others } = await readExif(await createImageFile(jpeg))
  expect(String(Make).length).toBeLessThan(400)
  expect(others).toEqual({ FocalLength: 50 })
})

test('follows a directory that refers to itself once', async () => {
  const path = await createImageFile(jpegWithDirectory(await plainJpeg(), [[0x8769, 4, 1, 8]], 100))
  expect(await readExif(path)).toEqual({})
})
