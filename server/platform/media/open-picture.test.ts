import { expect, test } from 'vitest'
import { createImageFile, jpegOfSeveralScans, plainPicture } from '../../../tests/support/media/image-files.ts'
import type { ImageHeader } from './image-header.ts'
import { openPicture, RejectedPicture, validateHeader } from './open-picture.ts'

const camera: ImageHeader = { kind: 'jpeg', width: 6000, height: 4000, isFullyBuffered: false }

function causeFor(change: Partial<ImageHeader>): string | null {
  try {
    validateHeader({ ...camera, ...change }, { maxBufferedBytes: 300e6 })
    return null
  } catch (error) {
    return error instanceof RejectedPicture ? error.rejection.cause : 'another error'
  }
}

test.each<[string, Partial<ImageHeader>, string | null]>([
  ['of the most pixels', { width: 16_383, height: 16_383 }, null],
  ['of one row more', { width: 16_383, height: 16_384 }, 'size'],
  ['without width', { width: 0 }, 'damage'],
  ['of a progressive camera picture', { isFullyBuffered: true }, null],
  ['that is progressive, and that 300 MB do not hold', { width: 12_000, height: 9000, isFullyBuffered: true }, 'size'],
  ['of the same size, baseline', { width: 12_000, height: 9000 }, null],
  ['that is a large interlaced PNG', { kind: 'png', width: 10_000, height: 10_000, isFullyBuffered: true }, 'size'],
  ['whose header has no size', { kind: 'avif', width: null, height: null, isFullyBuffered: true }, null],
])('a picture %s is rejected for: %s', (_name, change, cause) => {
  expect(causeFor(change)).toBe(cause)
})

const edge = 2400
const progressive = () => plainPicture(edge, edge).jpeg({ progressive: true }).toBuffer()
const withPrefix = (jpeg: Buffer, prefix: Buffer) => Buffer.concat([jpeg.subarray(0, 2), prefix, jpeg.subarray(2)])

/** `readImageHeader` skips a segment after the first marker, which has none for the decoder. */
const declaredTwice = async () => {
  const jpeg = withPrefix(await progressive(), Buffer.from([0xff, 0x01]))
  const baseline = Buffer.from([0xff, 0xc0, 0, 17, 8, edge >> 8, edge & 0xff, edge >> 8, edge & 0xff])
  return Buffer.concat([jpeg, Buffer.alloc(4 + jpeg.readUInt16BE(4) - jpeg.length), baseline])
}

test.each<[string, () => Promise<Buffer>]>([
  ['a TIFF', () => plainPicture(edge, edge).tiff().toBuffer()],
  ['a JPEG whose size follows too many markers', async () => withPrefix(await progressive(), Buffer.alloc(1000, 0xff))],
  ['a JPEG that declares two sizes', declaredTwice],
  ['a baseline JPEG with a scan for each color', async () => jpegOfSeveralScans(edge, edge)],
])('the limit for a picture that is held in memory holds for %s', async (_name, make) => {
  const sourcePath = await createImageFile(await make())
  const maxBufferedBytes = edge * edge * 6
  const opened = await openPicture({ sourcePath, maxBufferedBytes })
  expect(opened.decodingBytes).toBe(Number.POSITIVE_INFINITY)
  await expect(opened.picture.resize(10).toBuffer()).resolves.toBeDefined()
  const rejected = openPicture({ sourcePath, maxBufferedBytes: maxBufferedBytes - 1 })
  await expect(rejected).rejects.toMatchObject({ rejection: { cause: 'size' } })
})
