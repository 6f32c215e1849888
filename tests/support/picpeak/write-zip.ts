import { crc32 } from 'node:zlib'
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
