import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { diskStorageForTest } from '../../../tests/support/storage/test-storage.ts'
import { writeStaged } from './write-staged.ts'

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Writes 100,000 bytes in one chunk under a file size limit of a few kilobytes, as on a disk that becomes full. */
function writeOnFullDisk(root: string) {
  const [storage, writing] = ['disk-storage', 'write-staged'].map(
    (name) => new URL(`./${name}.ts`, import.meta.url).href,
  )
  const script = `
    const { createDiskStorage } = await import(${JSON.stringify(storage)})
    const { writeStaged } = await import(${JSON.stringify(writing)})
    const { Readable } = await import('node:stream')
    await writeStaged(createDiskStorage(process.argv[1]), Readable.from([Buffer.alloc(100_000)]))
      .then(({ sizeBytes }) => console.log('written', sizeBytes), (error) => console.log(error.constructor.name))`
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1" "$2"`
  return spawnSync('sh', ['-c', limited, process.execPath, script, root], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  }).stdout.trim()
}

test('writes a stream once and returns its size, hash and CRC-32', async () => {
  const storage = diskStorageForTest(await temporaryFolder())
  const chunks = [1, 70_000, 3, 1_200_000, 5].map((size) => randomBytes(size))
  const whole = Buffer.concat(chunks)
  const staged = await writeStaged(storage, Readable.from(chunks))
  expect((await readFile(staged.path)).equals(whole)).toBe(true)
  expect(staged).toMatchObject({ sizeBytes: whole.length, crc32: crc32(whole) })
  expect(staged.contentHash).toMatch(/^[0-9a-f]{64}$/)
})

test('writes an empty stream as an empty file', async () => {
  const staged = await writeStaged(diskStorageForTest(await temporaryFolder()), Readable.from([]))
  expect(staged.sizeBytes).toBe(0)
  expect(await readFile(staged.path)).toHaveLength(0)
})

test('leaves nothing when the source fails midway', async () => {
  const root = await temporaryFolder()
  async function* half() {
    yield randomBytes(500_000)
    throw new Error('the client went away')
  }
  await expect(writeStaged(diskStorageForTest(root), Readable.from(half()))).rejects.toThrow('the client went away')
  expect(await filesIn(root)).toEqual([])
})

test('fails and leaves nothing when the disk becomes full during the last write', async () => {
  const root = await temporaryFolder()
  expect(writeOnFullDisk(root)).toBe('StorageFull')
  expect(await filesIn(join(root, 'staging'))).toEqual([])
})
