import { expect, test } from 'vitest'
import {
  type ArchiveEntry,
  centralRecordBytes,
  createCentralRecord,
  createEndRecords,
  createLocalHeader,
  endRecordsBytes,
  localHeaderBytes,
} from './zip-format.ts'

// The expected bytes follow sections 4.3.7 to 4.3.16 of PKWARE's APPNOTE; all numbers are little-endian.

const max32 = 0xffffffff

const entry: ArchiveEntry = {
  name: 'é.jpg',
  sizeBytes: 0x01020304,
  crc32: 0xdeadbeef,
  modifiedAt: Date.UTC(2026, 5, 13, 14, 30, 21),
}
/** 14:30:20 as 01110 011110 01010, 2026-06-13 as 0101110 0110 01101. */
const time = 'ca73cd5c'
const name = 'c3a92e6a7067'

const hex = (...parts: string[]): string => parts.join('')

test('a local header of a small file', () => {
  const header = createLocalHeader(entry)
  expect(header.toString('hex')).toBe(
    hex('504b0304', '1400', '0008', '0000', time, 'efbeadde', '04030201', '04030201', '0600', '0000', name),
  )
  expect(localHeaderBytes(entry)).toBe(header.length)
})

test('a local header of a file whose size needs ZIP64', () => {
  const large = { ...entry, sizeBytes: max32 }
  const header = createLocalHeader(large)
  const size = 'ffffffff00000000'
  expect(header.toString('hex')).toBe(
    hex('504b0304', '2d00', '0008', '0000', time, 'efbeadde', 'ffffffff', 'ffffffff', '0600', '1400', name) +
      hex('0100', '1000', size, size),
  )
  expect(localHeaderBytes(large)).toBe(header.length)
})

const madeBy = '3f03'
/** No comment, disk 0, no internal attributes, mode 100644. */
const attributes = hex('0000', '0000', '0000', '0000a481')

test.each<[string, Partial<ArchiveEntry>, number, string]>([
  ['of a small file', {}, 0x0a0b0c0d, hex('04030201', '04030201', '0600', '0000', attributes, '0d0c0b0a', name)],
  [
    'just below the limits',
    { sizeBytes: max32 - 1 },
    max32 - 1,
    hex('feffffff', 'feffffff', '0600', '0000', attributes, 'feffffff', name),
  ],
  [
    'of a file whose size needs ZIP64',
    { sizeBytes: 2 ** 32 + 5 },
    7,
    hex('ffffffff', 'ffffffff', '0600', '1400', attributes, '07000000', name) +
      hex('0100', '1000', '0500000001000000', '0500000001000000'),
  ],
  [
    'of a file whose place needs ZIP64',
    {},
    max32,
    hex('04030201', '04030201', '0600', '0c00', attributes, 'ffffffff', name) + hex('0100', '0800', 'ffffffff00000000'),
  ],
  [
    'of a file whose size and place need ZIP64',
    { sizeBytes: max32 },
    2 ** 32,
    hex('ffffffff', 'ffffffff', '0600', '1c00', attributes, 'ffffffff', name) +
      hex('0100', '1800', 'ffffffff00000000', 'ffffffff00000000', '0000000001000000'),
  ],
])('a record of the central directory %s', (_name, change, start, rest) => {
  const changed = { ...entry, ...change }
  const record = createCentralRecord(changed, start)
  const version = changed.sizeBytes >= max32 || start >= max32 ? '2d00' : '1400'
  expect(record.toString('hex')).toBe(hex('504b0102', madeBy, version, '0008', '0000', time, 'efbeadde', rest))
  expect(centralRecordBytes(changed, start)).toBe(record.length)
})

test.each([
  ['small', { entryCount: 3, sizeBytes: 0x0102, start: 0x01020304 }, hex('0300', '0300', '02010000', '04030201')],
  [
    'just below the limits',
    { entryCount: 0xfffe, sizeBytes: max32 - 1, start: max32 - 1 },
    hex('feff', 'feff', 'feffffff', 'feffffff'),
  ],
])('the end of an archive %s', (_name, place, rest) => {
  expect(createEndRecords(place).toString('hex')).toBe(hex('504b0506', '0000', '0000', rest, '0000'))
  expect(endRecordsBytes(place)).toBe(22)
})

test.each([
  ['entries', { entryCount: 0xffff, sizeBytes: 5, start: 6 }, hex('ffff', 'ffff', '05000000', '06000000')],
  ['more entries', { entryCount: 0x10001, sizeBytes: 5, start: 6 }, hex('ffff', 'ffff', '05000000', '06000000')],
  [
    'the size of the directory',
    { entryCount: 2, sizeBytes: max32, start: 6 },
    hex('0200', '0200', 'ffffffff', '06000000'),
  ],
  [
    'the place of the directory',
    { entryCount: 2, sizeBytes: 5, start: max32 },
    hex('0200', '0200', '05000000', 'ffffffff'),
  ],
  [
    'all of them',
    { entryCount: 2 ** 17, sizeBytes: 2 ** 33, start: 2 ** 34 },
    hex('ffff', 'ffff', 'ffffffff', 'ffffffff'),
  ],
])('the end of an archive uses ZIP64 when it needs %s', (_name, place, rest) => {
  const { entryCount, sizeBytes, start } = place
  const wide = (value: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value))
    return bytes.toString('hex')
  }
  const zip64End = hex('504b0606', wide(44), '3f03', '2d00', '00000000', '00000000', wide(entryCount), wide(entryCount))
  const locator = hex('504b0607', '00000000', wide(start + sizeBytes), '01000000')
  expect(createEndRecords(place).toString('hex')).toBe(
    hex(zip64End, wide(sizeBytes), wide(start), locator, '504b0506', '0000', '0000', rest, '0000'),
  )
  expect(endRecordsBytes(place)).toBe(22 + 56 + 20)
})

test.each([
  ['1979-12-31T23:59:59Z', '00002100'],
  ['1980-01-01T00:00:02Z', '01002100'],
  ['2000-12-31T23:59:59Z', '7dbf9f29'],
  ['2107-12-31T23:59:59Z', '7dbf9fff'],
  ['2108-01-01T00:00:00Z', '7dbf9fff'],
])('the time %s is stored as %s', (at, stored) => {
  expect(
    createLocalHeader({ ...entry, modifiedAt: Date.parse(at) })
      .subarray(10, 14)
      .toString('hex'),
  ).toBe(stored)
})
