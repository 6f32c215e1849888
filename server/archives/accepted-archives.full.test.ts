import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { archivePrograms } from '../../tests/support/media/archive-programs.ts'
import { requireOrSkip } from '../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { createBytesReader } from '../platform/storage/byte-readers.ts'
import { createArchiveNames } from './archive-names.ts'
import { planArchive } from './plan-archive.ts'
import { readArchive } from './read-archive.ts'

async function archiveOf(files: Array<{ name: string; bytes: Buffer }>): Promise<Buffer> {
  const names = createArchiveNames(files.map(({ name }) => name))
  const entries = files.map(({ bytes }, index) => ({
    name: names[index] ?? '',
    sizeBytes: bytes.length,
    crc32: crc32(bytes),
    modifiedAt: Date.UTC(2026, 5, 13, 14, 30, 20),
    bytes,
  }))
  const plan = planArchive(entries)
  const whole = Buffer.alloc(plan.sizeBytes)
  const range = { start: 0, end: plan.sizeBytes - 1 }
  await readArchive(plan, range, async (entry, part) => createBytesReader(entry.bytes, part)).read(whole)
  return whole
}

const photo = (seed: number) => Buffer.from(Array.from({ length: 5000 + seed }, (_, index) => (index * seed) % 251))

const archives = {
  'one photo': [{ name: 'a.jpg', bytes: photo(1) }],
  'names of all kinds, some of them twice, and an empty file': [
    'a.jpg',
    'A.JPG',
    'Zoë – Brautpaar.jpg',
    '新娘 💍.jpg',
    '.hidden',
    'con.jpg',
    '../up.jpg',
    'é'.repeat(200),
  ]
    .map((name, index) => ({ name, bytes: photo(index) }))
    .concat([{ name: 'empty.jpg', bytes: Buffer.alloc(0) }]),
}

/** More than fit into the numbers of a ZIP without the extension ZIP64. */
const manyFiles = Array.from({ length: 66_000 }, (_, index) => ({
  name: `${index}.jpg`,
  bytes: Buffer.from(String(index)),
}))

describe.each(archivePrograms)('$name', ({ name, needs, test: testArchive }) => {
  test.for(Object.keys(archives) as Array<keyof typeof archives>)('accepts %s', async (content, { skip }) => {
    requireOrSkip(skip, needs)
    const folder = await temporaryFolder()
    const path = join(folder, 'photos.zip')
    await writeFile(path, await archiveOf(archives[content]))
    await testArchive(path, folder)
  })

  const options = name === 'unzip' ? {} : { tags: 'nightly' }
  test('accepts more files than 65,535', options, async ({ skip }) => {
    requireOrSkip(skip, needs)
    const folder = await temporaryFolder()
    const path = join(folder, 'photos.zip')
    await writeFile(path, await archiveOf(manyFiles))
    await testArchive(path, folder)
  })

  test('rejects an archive with one wrong byte', { tags: 'nightly' }, async ({ skip }) => {
    requireOrSkip(skip, needs)
    const folder = await temporaryFolder()
    const path = join(folder, 'photos.zip')
    const archive = await archiveOf(archives['one photo'])
    archive.writeUInt8(archive.readUInt8(1000) ^ 1, 1000)
    await writeFile(path, archive)
    await expect(testArchive(path, folder)).rejects.toThrow()
  })
})
