/** Returns `length` bytes of an archive from `position` on. */
export type BytesAt = (position: number, length: number) => Buffer

export type ReadEntry = {
  name: string
  sizeBytes: number
  crc32: number
  modifiedAt: string
  dataStart: number
  versionNeeded: number
  flags: number
}

const maxUint32 = 0xffffffff

/**
 * Lists the entries of a ZIP by its central directory. Supports only uncompressed entries and no comment of the
 * archive. Throws when two records contradict each other.
 */
export function readArchiveDirectory(at: BytesAt, sizeBytes: number): ReadEntry[] {
  const end = at(sizeBytes - 22, 22)
  expectSignature(end, 0x06054b50)
  const location = findDirectory(at, end, sizeBytes)
  if (location.start + location.sizeBytes !== location.endStart)
    throw new Error('The directory does not end at the end record')

  const directory = at(location.start, location.sizeBytes)
  const entries: ReadEntry[] = []
  let position = 0
  while (position < directory.length) {
    const { entry, length } = readRecord(directory.subarray(position), at)
    entries.push(entry)
    position += length
  }
  if (entries.length !== location.count) throw new Error(`The end record counts ${location.count} of ${entries.length}`)
  return entries
}

export function readArchiveFiles(bytes: Buffer): Map<string, Buffer> {
  const entries = readArchiveDirectory((position, length) => bytes.subarray(position, position + length), bytes.length)
  return new Map(
    entries.map(({ name, dataStart, sizeBytes }) => [name, bytes.subarray(dataStart, dataStart + sizeBytes)]),
  )
}

/**
 * Uses the ZIP64 end record if there is a locator for it. Each field of the plain end record must then have the ZIP64
 * value, or the maximum of the field if that value is larger.
 */
function findDirectory(at: BytesAt, end: Buffer, sizeBytes: number) {
  const plain = {
    count: end.readUInt16LE(10),
    sizeBytes: end.readUInt32LE(12),
    start: end.readUInt32LE(16),
    endStart: sizeBytes - 22,
  }
  if (sizeBytes < 42) return plain
  const locator = at(sizeBytes - 42, 20)
  if (locator.readUInt32LE(0) !== 0x07064b50) {
    if (plain.count === 0xffff || plain.sizeBytes === maxUint32 || plain.start === maxUint32)
      throw new Error('ZIP64 is missing')
    return plain
  }
  const endStart = Number(locator.readBigUInt64LE(8))
  const zip64 = at(endStart, 56)
  expectSignature(zip64, 0x06064b50)
  if (endStart + 12 + Number(zip64.readBigUInt64LE(4)) !== sizeBytes - 42)
    throw new Error('The ZIP64 record is not whole')
  const location = {
    count: Number(zip64.readBigUInt64LE(32)),
    sizeBytes: Number(zip64.readBigUInt64LE(40)),
    start: Number(zip64.readBigUInt64LE(48)),
  }
  expectSame(plain.count, Math.min(location.count, 0xffff))
  expectSame(plain.sizeBytes, Math.min(location.sizeBytes, maxUint32))
  expectSame(plain.start, Math.min(location.start, maxUint32))
  return { ...location, endStart }
}

function readRecord(record: Buffer, at: BytesAt): { entry: ReadEntry; length: number } {
  expectSignature(record, 0x02014b50)
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => record.readUInt16LE(offset)) as [
    number,
    number,
    number,
  ]
  const name = record.subarray(46, 46 + nameBytes)
  const zip64 = zip64Values(record.subarray(46 + nameBytes, 46 + nameBytes + extraBytes))
  const readZip64Value = (value: number) => (value === maxUint32 ? (zip64.shift() ?? Number.NaN) : value)
  const sizeBytes = readZip64Value(record.readUInt32LE(24))
  expectSame(readZip64Value(record.readUInt32LE(20)), sizeBytes)
  const start = readZip64Value(record.readUInt32LE(42))
  expectSame(zip64.length, 0)
  expectSame(record.readUInt16LE(10), 0)

  const header = at(start, 30)
  expectSignature(header, 0x04034b50)
  if (!header.subarray(6, 26).equals(record.subarray(8, 28))) throw new Error('Header and record differ')
  expectSame(header.readUInt16LE(26), nameBytes)
  const rest = at(start + 30, nameBytes + header.readUInt16LE(28))
  if (!rest.subarray(0, nameBytes).equals(name)) throw new Error('The names differ')
  const localZip64 = zip64Values(rest.subarray(nameBytes))
  if (sizeBytes >= maxUint32) expectSame(localZip64.join(), [sizeBytes, sizeBytes].join())
  return {
    entry: {
      name: name.toString(),
      sizeBytes,
      crc32: record.readUInt32LE(16),
      modifiedAt: formatDosTime(record.readUInt16LE(14), record.readUInt16LE(12)),
      dataStart: start + 30 + rest.length,
      versionNeeded: record.readUInt16LE(6),
      flags: record.readUInt16LE(8),
    },
    length: 46 + nameBytes + extraBytes + commentBytes,
  }
}

function zip64Values(extra: Buffer): number[] {
  if (extra.length === 0) return []
  expectSame(extra.readUInt16LE(0), 1)
  expectSame(extra.readUInt16LE(2), extra.length - 4)
  return Array.from({ length: (extra.length - 4) / 8 }, (_, index) => Number(extra.readBigUInt64LE(4 + 8 * index)))
}

function formatDosTime(date: number, time: number): string {
  const padTwo = (value: number) => String(value).padStart(2, '0')
  const day = [1980 + (date >> 9), padTwo((date >> 5) & 15), padTwo(date & 31)].join('-')
  return `${day}T${[padTwo(time >> 11), padTwo((time >> 5) & 63), padTwo((time & 31) * 2)].join(':')}`
}

function expectSignature(record: Buffer, signature: number): void {
  expectSame(record.readUInt32LE(0), signature)
}

function expectSame(read: unknown, expected: unknown): void {
  if (read !== expected) throw new Error(`The archive says ${String(read)} and should say ${String(expected)}`)
}
