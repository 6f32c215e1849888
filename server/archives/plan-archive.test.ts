import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BytesAt, readArchiveDirectory } from '../../tests/support/media/read-archive.ts'
import type { ByteRange } from '../platform/storage/storage.ts'
import { iterateParts } from './archive-parts.ts'
import { type ArchivePlan, planArchive } from './plan-archive.ts'
import type { ArchiveEntry } from './zip-format.ts'

const modifiedAt = Date.UTC(2026, 5, 13, 14, 30, 20)

const entryOf = (sizeBytes: number, name = 'a.jpg'): ArchiveEntry => ({
  name,
  sizeBytes,
  crc32: 0xdeadbeef,
  modifiedAt,
})

/** Repeats one byte per entry, to tell the entries apart. */
const dataOf = (entries: readonly ArchiveEntry[], entry: ArchiveEntry, { start, end }: ByteRange): Buffer =>
  Buffer.alloc(end - start + 1, (entries.indexOf(entry) % 255) + 1)

function bytesOf(plan: ArchivePlan, range: ByteRange = { start: 0, end: plan.sizeBytes - 1 }): Buffer {
  const pieces: Buffer[] = []
  for (const { head, data } of iterateParts(plan, range)) {
    pieces.push(head)
    if (data) pieces.push(dataOf(plan.entries, data.entry, data.range))
  }
  return Buffer.concat(pieces)
}

/** Returns only headers and directory records, without the data of the entries. */
const recordsAt =
  (plan: ArchivePlan): BytesAt =>
  (start, length) =>
    Buffer.concat([...iterateParts(plan, { start, end: start + length - 1 })].map(({ head }) => head))

const entries = fc.array(
  fc.record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    sizeBytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 70_000 })),
    crc32: fc.integer({ min: 0, max: 0xffffffff }),
    modifiedAt: fc.integer({ min: Date.UTC(1980), max: Date.UTC(2107) }),
  }),
  { maxLength: 12 },
)

test('an archive has the planned length, and each range equals that part of the whole', () => {
  fc.assert(
    fc.property(
      entries,
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100_000))),
      (all, cuts) => {
        const plan = planArchive(all)
        const whole = bytesOf(plan)
        expect(whole.length).toBe(plan.sizeBytes)
        for (const [place, length] of cuts) {
          const start = Math.min(Math.floor(place * plan.sizeBytes), plan.sizeBytes - 1)
          const end = Math.min(start + length, plan.sizeBytes - 1)
          expect(bytesOf(plan, { start, end }).equals(whole.subarray(start, end + 1))).toBe(true)
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('an archive is readable by its directory: names, sizes, CRC-32 and data', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const plan = planArchive(all)
      const whole = bytesOf(plan)
      const read = readArchiveDirectory((position, length) => whole.subarray(position, position + length), whole.length)
      expect(read.map(({ name, sizeBytes, crc32 }) => ({ name, sizeBytes, crc32 }))).toEqual(
        all.map(({ name, sizeBytes, crc32 }) => ({ name: name.toWellFormed(), sizeBytes, crc32 })),
      )
      for (const [index, { dataStart, sizeBytes }] of read.entries()) {
        const expected = Buffer.alloc(sizeBytes, (index % 255) + 1)
        expect(whole.subarray(dataStart, dataStart + sizeBytes).equals(expected)).toBe(true)
      }
    }),
  )
})

test('an archive without entries is only an end record', () => {
  expect(readArchiveDirectory(recordsAt(planArchive([])), 22)).toEqual([])
})

test('an archive marks its names as UTF-8 and stores times to two seconds', () => {
  const plan = planArchive([{ ...entryOf(10, 'Zoë – 新娘 💍.jpg'), modifiedAt: modifiedAt + 1_999 }])
  const [read] = readArchiveDirectory(recordsAt(plan), plan.sizeBytes)
  expect(read).toMatchObject({ name: 'Zoë – 新娘 💍.jpg', flags: 0x0800, modifiedAt: '2026-06-13T14:30:20' })
})

test.each([
  ['1969-12-31T23:59:59Z', '1980-01-01T00:00:00'],
  ['1979-12-31T23:59:59Z', '1980-01-01T00:00:00'],
  ['1980-01-01T00:00:02Z', '1980-01-01T00:00:02'],
  ['2107-12-31T23:59:59Z', '2107-12-31T23:59:58'],
  ['2222-02-02T02:02:02Z', '2107-12-31T23:59:58'],
])('an archive stores the time %s as %s, the nearest valid one', (time, reported) => {
  const plan = planArchive([{ ...entryOf(1), modifiedAt: Date.parse(time) }])
  expect(readArchiveDirectory(recordsAt(plan), plan.sizeBytes)[0]?.modifiedAt).toBe(reported)
})

test('an archive opens only entries in the range', () => {
  const plan = planArchive(Array.from({ length: 1000 }, (_, index) => entryOf(5_000_000, `${index}.jpg`)))
  const start = (plan.fileStarts[500] ?? 0) + 100
  const opened = (range: ByteRange) => [...iterateParts(plan, range)].flatMap(({ data }) => data?.entry.name ?? [])
  expect(opened({ start, end: start + 10 })).toEqual(['500.jpg'])
  expect(opened({ start, end: start + 5_000_000 })).toEqual(['500.jpg', '501.jpg'])
  expect(opened({ start: plan.fileStarts[1000] ?? 0, end: plan.sizeBytes - 1 })).toEqual([])
})

test('an archive makes only the records in the range, and the end records', () => {
  const plan = planArchive(Array.from({ length: 1000 }, (_, index) => entryOf(100, `${index}.jpg`)))
  const partsIn = (start: number, end: number) => [...iterateParts(plan, { start, end })].length
  const fileStart = plan.fileStarts[500] ?? 0
  expect(partsIn(fileStart, fileStart)).toBe(2)
  expect(partsIn(fileStart - 1, fileStart - 1)).toBe(2)
  expect(partsIn(fileStart - 1, fileStart)).toBe(3)
  const directoryStart = plan.recordStarts[0] ?? 0
  expect(partsIn(directoryStart, directoryStart)).toBe(2)
  expect(bytesOf(plan, { start: directoryStart, end: directoryStart }).toString('hex')).toBe('50')
})

test('an archive makes its directory in pieces of at least 64 KiB', () => {
  // A record has 46 bytes and a name of 18 bytes: 1,024 records are 64 KiB.
  const name = (index: number) => `${String(index).padStart(14, '0')}.jpg`
  const plan = planArchive(Array.from({ length: 2500 }, (_, index) => entryOf(0, name(index))))
  const start = plan.recordStarts[0] ?? 0
  const pieces = [...iterateParts(plan, { start, end: plan.sizeBytes - 1 })].map(({ head }) => head.length)
  expect(pieces).toEqual([65_536, 65_536, 452 * 64, 22])
})

const maxUint32 = 0xffffffff

const readBack = (plan: ArchivePlan) => readArchiveDirectory(recordsAt(plan), plan.sizeBytes)
const hasZip64End = (plan: ArchivePlan) =>
  plan.sizeBytes - (plan.recordStarts[plan.entries.length] ?? 0) === 22 + 56 + 20

test.each([
  [maxUint32 - 1, 20],
  [maxUint32, 45],
  [maxUint32 + 1, 45],
  [5e12, 45],
])('ZIP64 an entry of %i bytes needs version %i', (sizeBytes, versionNeeded) => {
  const plan = planArchive([entryOf(sizeBytes), entryOf(3, 'b.jpg')])
  expect(readBack(plan)).toMatchObject([
    { sizeBytes, versionNeeded },
    { name: 'b.jpg', sizeBytes: 3 },
  ])
})

test.each([maxUint32 - 1, maxUint32, maxUint32 + 1, 2 ** 33])('ZIP64 a header at %i is found', (start) => {
  const first = entryOf(0)
  const headerBytes = planArchive([first]).fileStarts[1] ?? 0
  // Two entries, because one of that size would itself need ZIP64.
  const half = Math.floor(start / 2) - headerBytes
  const plan = planArchive([entryOf(half), entryOf(start - half - 2 * headerBytes), entryOf(7, 'b.jpg')])
  expect(plan.fileStarts[2]).toBe(start)
  expect(readBack(plan)[2]).toMatchObject({ sizeBytes: 7, versionNeeded: start >= maxUint32 ? 45 : 20 })
  expect(hasZip64End(plan)).toBe(true)
})

test.each([
  [maxUint32 - 1, false],
  [maxUint32, true],
])('ZIP64 a directory that starts at %i: with a ZIP64 end record %s', (start, isZip64) => {
  const headerBytes = planArchive([entryOf(0)]).fileStarts[1] ?? 0
  const half = Math.floor(start / 2) - headerBytes
  const plan = planArchive([entryOf(half), entryOf(start - half - 2 * headerBytes)])
  expect(plan.fileStarts[2]).toBe(start)
  expect(hasZip64End(plan)).toBe(isZip64)
  expect(readBack(plan)).toHaveLength(2)
})

test.each([
  [65_534, false],
  [65_535, true],
])('ZIP64 %i entries: with a ZIP64 end record %s', (count, isZip64) => {
  const plan = planArchive(Array.from({ length: count }, (_, index) => entryOf(1, `${index}.jpg`)))
  expect(hasZip64End(plan)).toBe(isZip64)
})

test('ZIP64 ranges around the limits equal parts of the whole', () => {
  const plan = planArchive([entryOf(maxUint32), entryOf(10, 'b.jpg'), entryOf(2 ** 33, 'c.jpg')])
  const places = [plan.fileStarts[1], plan.fileStarts[2], plan.fileStarts[3], plan.recordStarts[3]]
  for (const place of places) {
    const around = { start: (place ?? 0) - 40, end: Math.min((place ?? 0) + 120, plan.sizeBytes - 1) }
    const whole = bytesOf(plan, around)
    expect(whole.length).toBe(around.end - around.start + 1)
    for (let start = around.start; start <= around.end; start += 7) {
      expect(bytesOf(plan, { start, end: around.end }).equals(whole.subarray(start - around.start))).toBe(true)
    }
  }
})
