import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { diskStorageForTest } from '../../../tests/support/storage/test-storage.ts'
import { digestBlockBytes } from './content-digest.ts'
import { StorageFull } from './storage.ts'
import { writeStaged } from './write-staged.ts'

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Writes chunks of 100,000 bytes under a file size limit of a few kilobytes, as on a disk that becomes full. */
function writeOnFullDisk(root: string, chunks: number) {
  const [storage, writing] = ['disk-storage', 'write-staged'].map(
    (name) => new URL(`./${name}.ts`, import.meta.url).href,
  )
  const script = `
    const { createDiskStorage } = await import(${JSON.stringify(storage)})
    const { writeStaged } = await import(${JSON.stringify(writing)})
    const { Readable } = await import('node:stream')
    const chunks = Array.from({ length: Number(process.argv[3]) }, () => Buffer.alloc(100_000))
    await writeStaged(createDiskStorage(process.argv[2]), Readable.from(chunks))
      .then(({ sizeBytes }) => console.log('written', sizeBytes), (error) => console.log(error.constructor.name))`
  // A file, because a thread cannot inherit the option `--input-type`.
  const program = join(root, 'write.mjs')
  writeFileSync(program, script)
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" "$1" "$2" "$3"`
  return spawnSync('sh', ['-c', limited, process.execPath, program, root, String(chunks)], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  }).stdout.trim()
}

/** The content hash by its definition: SHA-256 over the digests of blocks of 10,485,760 bytes. */
function contentHashOf(bytes: Buffer): string {
  const tree = createHash('sha256')
  for (let at = 0; at < bytes.length; at += digestBlockBytes) {
    const block = bytes.subarray(at, at + digestBlockBytes)
    tree.update(createHash('sha256').update(block).digest())
  }
  return tree.digest('hex')
}

test.each([
  ['an empty file', []],
  ['a small file', [1, 70_000, 3, 200_000, 5]],
  ['a file in one batch and a byte', [2 ** 20, 1]],
  ['a file in several batches', [1, 70_000, 3, 1_200_000, 65_536, 65_536, 5]],
  ['a file of two blocks', [6_000_000, 6_000_000, 70_000]],
])('writes %s once and returns its size, hash and CRC-32', async (_name, sizes) => {
  const storage = diskStorageForTest(await temporaryFolder())
  const chunks = sizes.map((size) => randomBytes(size))
  const whole = Buffer.concat(chunks)
  const staged = await writeStaged(storage, Readable.from(chunks))
  expect((await readFile(staged.path)).equals(whole)).toBe(true)
  expect(staged).toMatchObject({ sizeBytes: whole.length, crc32: crc32(whole), contentHash: contentHashOf(whole) })
})

test('writes many files at once', async () => {
  const storage = diskStorageForTest(await temporaryFolder())
  const files = Array.from({ length: 6 }, () => Array.from({ length: 40 }, () => randomBytes(70_000)))
  const wholes = files.map((chunks) => Buffer.concat(chunks))
  const staged = await Promise.all(files.map((chunks) => writeStaged(storage, Readable.from(chunks))))
  expect(staged.map(({ contentHash }) => contentHash)).toEqual(wholes.map(contentHashOf))
  const written = await Promise.all(staged.map(({ path }) => readFile(path)))
  expect(written.map((bytes, index) => wholes[index]?.equals(bytes))).toEqual(wholes.map(() => true))
})

test('leaves nothing when the space ends midway', async () => {
  const root = await temporaryFolder()
  const chunks = Array.from({ length: 40 }, () => randomBytes(70_000))
  let reserved = 0
  const reserveSpace = async (bytes: number) => {
    reserved += bytes
    if (reserved > 2_000_000) throw new StorageFull()
  }
  const writing = writeStaged(diskStorageForTest(root), Readable.from(chunks), reserveSpace)
  await expect(writing).rejects.toBeInstanceOf(StorageFull)
  expect(await filesIn(root)).toEqual([])
})

test('leaves nothing when the source fails midway', async () => {
  const root = await temporaryFolder()
  async function* half() {
    for (let count = 0; count < 4; count++) yield randomBytes(500_000)
    throw new Error('the client went away')
  }
  await expect(writeStaged(diskStorageForTest(root), Readable.from(half()))).rejects.toThrow('the client went away')
  expect(await filesIn(root)).toEqual([])
})

// The digest thread writes the larger file.
test.each([1, 30])('fails and leaves nothing when the disk becomes full (%i chunks)', async (chunks) => {
  const root = await temporaryFolder()
  expect(writeOnFullDisk(root, chunks)).toBe('StorageFull')
  expect(await filesIn(join(root, 'staging'))).toEqual([])
})
