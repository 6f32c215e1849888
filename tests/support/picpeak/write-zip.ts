import { crc32, deflateRawSync } from 'node:zlib'
import { planArchive } from '../../../server/archives/plan-archive.ts'
import { readArchive } from '../../../server/archives/read-archive.ts'
import { createBytesReader } from '../../../server/platform/storage/byte-readers.ts'

export async function writeZip(files: ReadonlyArray<{ name: string; bytes: Buffer }>): Promise<Buffer> {
  const entries = files.map(({ name, bytes }) => ({
    name,
    sizeBytes: bytes.length,
    crc32: crc32(bytes),
    modifiedAt: Date.UTC(2026, 5, 13),
    bytes,
  }))
  const plan = planArchive(entries)
  const whole = Buffer.alloc(plan.sizeBytes)
  const range = { start: 0, end: plan.sizeBytes - 1 }
  await readArchive(plan, range, async (entry, part) => createBytesReader(entry.bytes, part)).read(whole)
  return whole
}

/** `flags`: 0x800 says that the name is UTF-8. `crc` and `size` are what the ZIP says of the content. */
export type ForeignEntry = {
  name: string | Buffer
  bytes: Buffer
  flags?: number
  crc?: number
  size?: number
  mode?: number
}

/** A ZIP as other programs write it: compressed, with names as they are given. */
export function writeForeignZip(entries: readonly ForeignEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, flags = 0x800, crc = crc32(bytes), size = bytes.length, mode = 0o100644 } of entries) {
    const encodedName = Buffer.from(name)
    const data = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(0x5acd_0000, 6)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(encodedName.length, 22)
    const attributes = Buffer.alloc(14)
    attributes.writeUInt32LE((mode << 16) >>> 0, 6)
    attributes.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, encodedName, data])
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, attributes, encodedName)
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
