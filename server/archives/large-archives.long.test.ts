import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { archivePrograms } from '../../tests/support/media/archive-programs.ts'
import { type BytesAt, readArchiveDirectory } from '../../tests/support/media/read-archive.ts'
import { requireOrSkip } from '../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { iterateParts } from './archive-parts.ts'
import { planArchive } from './plan-archive.ts'
import type { ArchiveEntry } from './zip-format.ts'

/** Returns an entry of zeros, which a sparse file stores as holes. */
function zeros(name: string, sizeBytes: number): ArchiveEntry {
  const block = Buffer.alloc(Math.min(sizeBytes, 2 ** 26))
  let sum = 0
  for (let left = sizeBytes; left > 0; left -= block.length) sum = crc32(block.subarray(0, left), sum)
  return { name, sizeBytes, crc32: sum, modifiedAt: Date.UTC(2026, 5, 13) }
}

/** An entry over 4 GiB, and entries and a directory that start after 4 GiB. */
const plan = planArchive([zeros('film.mp4', 2 ** 32 + 5), zeros('photo.jpg', 3_000_000), zeros('empty.jpg', 0)])

/** Writes only the records; the data stays sparse. */
async function writeSparse(path: string): Promise<void> {
  const file = await open(path, 'w')
  let position = 0
  for (const { head, data } of iterateParts(plan, { start: 0, end: plan.sizeBytes - 1 })) {
    await file.write(head, 0, head.length, position)
    position += head.length + (data ? data.range.end - data.range.start + 1 : 0)
  }
  await file.close()
  expect(position).toBe(plan.sizeBytes)
}

describe.each(archivePrograms)('$name accepts', ({ needs, test: testArchive }) => {
  test('an archive of more than 4 GiB', async ({ skip }) => {
    requireOrSkip(skip, needs)
    const folder = await temporaryFolder()
    const path = join(folder, 'photos.zip')
    await writeSparse(path)
    const { size, blocks } = await stat(path)
    expect(size).toBeGreaterThan(2 ** 32)
    expect(blocks * 512, 'the folder for temporary files keeps no holes').toBeLessThan(10_000_000)
    await testArchive(path, folder)
  })
})

test.each([65_534, 65_535, 65_536])('the directory of %i entries lists each of them', (count) => {
  const entries = Array.from({ length: count }, (_, index) => zeros(`${index}.jpg`, 1))
  const many = planArchive(entries)
  const recordsAt: BytesAt = (start, length) =>
    Buffer.concat([...iterateParts(many, { start, end: start + length - 1 })].map(({ head }) => head))
  expect(readArchiveDirectory(recordsAt, many.sizeBytes)).toHaveLength(count)
})
