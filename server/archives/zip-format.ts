/**
 * The records of the ZIP format (PKWARE APPNOTE 6.3) for uncompressed entries of known size and CRC-32: no data
 * descriptors, UTF-8 names, and ZIP64 only where a number does not fit.
 */

export type ArchiveEntry = {
  name: string
  sizeBytes: number
  crc32: number
  /** Epoch milliseconds, written as UTC because the format has no zone, in steps of two seconds. */
  modifiedAt: number
}

export type DirectoryLocation = { entryCount: number; start: number; sizeBytes: number }

/** The largest value of a field means that the number is in the ZIP64 record. Numbers from that value on need ZIP64. */
const maxUint16 = 0xffff
const maxUint32 = 0xffffffff
const utf8NamesFlag = 0x0800
const baseVersion = 20
const zip64Version = 45
/** Made by Unix, so that the file mode applies; version 6.3 of the format. */
const versionMadeBy = (3 << 8) | 63
const regularFileMode = (0o100644 << 16) >>> 0

/** The values that do not fit: the size, written twice, and in the directory the offset of the local header. */
const localZip64Values = ({ sizeBytes }: ArchiveEntry): number[] =>
  sizeBytes >= maxUint32 ? [sizeBytes, sizeBytes] : []
const centralZip64Values = (entry: ArchiveEntry, start: number): number[] =>
  start >= maxUint32 ? [...localZip64Values(entry), start] : localZip64Values(entry)
const zip64FieldBytes = (valueCount: number): number => (valueCount === 0 ? 0 : 4 + 8 * valueCount)

export const localHeaderBytes = (entry: ArchiveEntry): number =>
  30 + Buffer.byteLength(entry.name) + (entry.sizeBytes >= maxUint32 ? zip64FieldBytes(2) : 0)

export function createLocalHeader(entry: ArchiveEntry): Buffer {
  const header = Buffer.alloc(localHeaderBytes(entry))
  const zip64 = localZip64Values(entry)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(zip64.length > 0 ? zip64Version : baseVersion, 4)
  writeCommonFields(header, 6, entry)
  header.writeUInt16LE(zip64FieldBytes(zip64.length), 28)
  writeZip64Field(header, 30 + header.write(entry.name, 30), zip64)
  return header
}

export const centralRecordBytes = (entry: ArchiveEntry, start: number): number =>
  46 +
  Buffer.byteLength(entry.name) +
  zip64FieldBytes((entry.sizeBytes >= maxUint32 ? 2 : 0) + (start >= maxUint32 ? 1 : 0))

export function createCentralRecord(entry: ArchiveEntry, start: number): Buffer {
  const record = Buffer.alloc(centralRecordBytes(entry, start))
  const zip64 = centralZip64Values(entry, start)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(versionMadeBy, 4)
  record.writeUInt16LE(zip64.length > 0 ? zip64Version : baseVersion, 6)
  writeCommonFields(record, 8, entry)
  record.writeUInt16LE(zip64FieldBytes(zip64.length), 30)
  record.writeUInt32LE(regularFileMode, 38)
  record.writeUInt32LE(Math.min(start, maxUint32), 42)
  writeZip64Field(record, 46 + record.write(entry.name, 46), zip64)
  return record
}

const needsZip64 = ({ entryCount, start, sizeBytes }: DirectoryLocation): boolean =>
  entryCount >= maxUint16 || start >= maxUint32 || sizeBytes >= maxUint32

export const endRecordsBytes = (location: DirectoryLocation): number => (needsZip64(location) ? 56 + 20 + 22 : 22)

/** Returns the end of central directory record, preceded by the ZIP64 records where needed. */
export function createEndRecords(location: DirectoryLocation): Buffer {
  const { entryCount, start, sizeBytes } = location
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entryCount, maxUint16), 8)
  end.writeUInt16LE(Math.min(entryCount, maxUint16), 10)
  end.writeUInt32LE(Math.min(sizeBytes, maxUint32), 12)
  end.writeUInt32LE(Math.min(start, maxUint32), 16)
  return needsZip64(location) ? Buffer.concat([createZip64End(location), end]) : end
}

function createZip64End({ entryCount, start, sizeBytes }: DirectoryLocation): Buffer {
  const end = Buffer.alloc(56 + 20)
  end.writeUInt32LE(0x06064b50, 0)
  // The size field does not count the first 12 bytes.
  writeUInt64(end, 56 - 12, 4)
  end.writeUInt16LE(versionMadeBy, 12)
  end.writeUInt16LE(zip64Version, 14)
  writeUInt64(end, entryCount, 24)
  writeUInt64(end, entryCount, 32)
  writeUInt64(end, sizeBytes, 40)
  writeUInt64(end, start, 48)
  end.writeUInt32LE(0x07064b50, 56)
  writeUInt64(end, start + sizeBytes, 64)
  end.writeUInt32LE(1, 72)
  return end
}

/** Writes the fields that local headers and directory records share. The method stays 0, which means uncompressed. */
function writeCommonFields(record: Buffer, at: number, entry: ArchiveEntry): void {
  const { time, date } = toDosTime(entry.modifiedAt)
  const sizeBytes = Math.min(entry.sizeBytes, maxUint32)
  record.writeUInt16LE(utf8NamesFlag, at)
  record.writeUInt16LE(time, at + 4)
  record.writeUInt16LE(date, at + 6)
  record.writeUInt32LE(entry.crc32, at + 8)
  record.writeUInt32LE(sizeBytes, at + 12)
  record.writeUInt32LE(sizeBytes, at + 16)
  record.writeUInt16LE(Buffer.byteLength(entry.name), at + 20)
}

function writeZip64Field(record: Buffer, at: number, values: number[]): void {
  if (values.length === 0) return
  record.writeUInt16LE(1, at)
  record.writeUInt16LE(8 * values.length, at + 2)
  for (const [index, value] of values.entries()) writeUInt64(record, value, at + 4 + 8 * index)
}

const writeUInt64 = (record: Buffer, value: number, at: number): number => record.writeBigUInt64LE(BigInt(value), at)

const minTime = Date.UTC(1980, 0, 1)
const maxTime = Date.UTC(2107, 11, 31, 23, 59, 58)

/** The format has only the years 1980 to 2107; other times become the first or last possible time. */
function toDosTime(epochMs: number): { time: number; date: number } {
  const at = new Date(Math.min(Math.max(epochMs, minTime), maxTime))
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
