import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBytesReader } from '../platform/storage/byte-readers.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
import { planArchive } from './plan-archive.ts'
import { type OpenData, readArchive } from './read-archive.ts'
import type { ArchiveEntry } from './zip-format.ts'

type File = ArchiveEntry & { bytes: Buffer }

const fileOf = (bytes: Buffer, name = 'a.jpg'): File => ({
  name,
  sizeBytes: bytes.length,
  crc32: 0,
  modifiedAt: 0,
  bytes,
})
const filesOf = (...sizes: number[]): File[] =>
  sizes.map((size, index) => fileOf(Buffer.alloc(size, index + 1), `${index}.jpg`))

/** Counts files while they are open. */
function openingOf() {
  const log = { open: 0, maxOpen: 0, opened: [] as string[] }
  const open: OpenData<File> = async (file, range) => {
    log.opened.push(file.name)
    log.maxOpen = Math.max(log.maxOpen, ++log.open)
    const reader = createBytesReader(file.bytes, range)
    let isOpen = true
    return {
      read: (buffer) => (isOpen ? reader.read(buffer) : Promise.reject(new Error('It has been closed'))),
      async close() {
        if (isOpen) log.open--
        isOpen = false
      },
    }
  }
  return { log, open }
}

const wholeRange = ({ sizeBytes }: { sizeBytes: number }): ByteRange => ({ start: 0, end: sizeBytes - 1 })

async function readAll(reader: ByteReader, bufferBytes = 1000): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (;;) {
    const buffer = Buffer.alloc(bufferBytes)
    const length = await reader.read(buffer)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(buffer.subarray(0, length))
  }
}

const large = 5_000_000

test('an archive that is read returns every range, in buffers of any size', async () => {
  const sizes = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5000 })), { maxLength: 10 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  await fc.assert(
    fc.asyncProperty(sizes, share, share, fc.integer({ min: 1, max: 3000 }), async (all, from, to, bufferBytes) => {
      const plan = planArchive(filesOf(...all))
      const { log, open } = openingOf()
      const whole = await readAll(readArchive(plan, wholeRange(plan), open))
      expect(whole.length).toBe(plan.sizeBytes)
      const [start = 0, end = 0] = [from, to].map((one) => Math.round(one * (plan.sizeBytes - 1))).sort((a, b) => a - b)
      const part = await readAll(readArchive(plan, { start, end }, open), bufferBytes)
      expect(part.equals(whole.subarray(start, end + 1))).toBe(true)
      expect(log.open).toBe(0)
    }),
    { numRuns: 80 },
  )
})

test('an archive that is read has at most two files open, and opens one shortly before its bytes', async () => {
  const plan = planArchive(filesOf(...Array.from({ length: 8 }, () => large)))
  const { log, open } = openingOf()
  const reader = readArchive(plan, wholeRange(plan), open)
  expect(log.opened).toEqual([])
  await reader.read(Buffer.alloc(1_000_000))
  expect(log.opened).toEqual(['0.jpg'])
  await readAll(reader, 1_000_000)
  expect(log).toMatchObject({ open: 0, maxOpen: 2 })
  expect(log.opened).toHaveLength(8)
})

test('an archive that is read of 20,000 files is read from its end without opening any', async () => {
  const plan = planArchive(filesOf(...Array.from({ length: 20_000 }, () => 20)))
  const { log, open } = openingOf()
  const part = await readAll(readArchive(plan, { start: plan.sizeBytes - 500, end: plan.sizeBytes - 1 }, open))
  expect(part).toHaveLength(500)
  expect(log.opened).toEqual([])
})

test('an archive that is read closes open files when it is closed, and opens no more', async () => {
  const plan = planArchive(filesOf(large, large, large))
  const { log, open } = openingOf()
  const reader = readArchive(plan, wholeRange(plan), open)
  for (const bytes of [4_000_000, 1000]) await reader.read(Buffer.alloc(bytes))
  expect(log.open).toBe(2)
  await reader.close()
  await reader.close()
  expect(log.open).toBe(0)
  await expect(readAll(reader)).rejects.toThrow()
  expect(log.opened).toEqual(['0.jpg', '1.jpg'])
  expect(log.open).toBe(0)
  const unread = readArchive(plan, wholeRange(plan), open)
  await unread.close()
  await expect(readAll(unread)).rejects.toThrow()
  expect(log.opened).toHaveLength(2)
})

test('an archive that is read also closes a file that is being opened', async () => {
  const plan = planArchive(filesOf(large))
  const { log, open } = openingOf()
  const [asked, opening] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reader = readArchive(plan, wholeRange(plan), async (file, range) => {
    asked.resolve()
    await opening.promise
    return open(file, range)
  })
  const reading = reader.read(Buffer.alloc(1000))
  await asked.promise
  const closing = reader.close()
  opening.resolve()
  await Promise.allSettled([closing, reading])
  await expect(reader.read(Buffer.alloc(1000))).rejects.toThrow()
  expect(log).toMatchObject({ open: 0, opened: ['0.jpg'] })
})

test('a file that fails makes the read fail, but only when its bytes are due', async () => {
  const plan = planArchive(filesOf(1000, 1000, 1000))
  const { log, open } = openingOf()
  const reader = readArchive(plan, wholeRange(plan), (file, range) =>
    file.name === '1.jpg' ? Promise.reject(new Error('The disk is gone')) : open(file, range),
  )
  const before = plan.fileStarts[1] ?? 0
  expect(await reader.read(Buffer.alloc(before))).toBe(before)
  await setImmediate()
  await expect(readAll(reader)).rejects.toThrow('The disk is gone')
  await reader.close()
  expect(log.open).toBe(0)
})

test('a file that fails may also fail while it is read', async () => {
  const plan = planArchive(filesOf(1000))
  const read = () => Promise.reject(new Error('The disk is gone'))
  const reader = readArchive(plan, wholeRange(plan), async () => ({ read, close: async () => {} }))
  await expect(readAll(reader)).rejects.toThrow('The disk is gone')
})

test.each([0, 999])('a file that fails may also have only %i of 1000 bytes', async (there) => {
  const plan = planArchive(filesOf(1000, 1000))
  const reader = readArchive(plan, wholeRange(plan), async (file, range) =>
    createBytesReader(file.bytes.subarray(0, there), range),
  )
  await expect(readAll(reader)).rejects.toThrow('ended early')
})

test('a file that fails that is too long is read only up to its size', async () => {
  const [file = fileOf(Buffer.alloc(0))] = filesOf(1000)
  const plan = planArchive([file])
  const whole = await readAll(readArchive(plan, wholeRange(plan), openingOf().open))
  const grown = Buffer.concat([file.bytes, Buffer.alloc(500, 9)])
  const read = await readAll(
    readArchive(plan, wholeRange(plan), async () => createBytesReader(grown, { start: 0, end: 1499 })),
    100_000,
  )
  expect(read.equals(whole)).toBe(true)
})
