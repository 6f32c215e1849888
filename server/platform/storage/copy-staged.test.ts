import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { placeOf } from '../../../tests/support/storage/file-place.ts'
import { diskStorageForTest } from '../../../tests/support/storage/test-storage.ts'
import { digestFile } from './content-digest.ts'
import { CopySourceUnreadable, copyStaged } from './copy-staged.ts'

test.each([0, 1, 2 ** 20 - 1, 2 ** 20, 3 * 2 ** 20 + 7])('copies and hashes %d bytes', async (length) => {
  const source = join(await temporaryFolder(), 'source')
  await writeFile(source, Buffer.alloc(length, 'some bytes'))
  const { path, synced, ...facts } = await copyStaged(diskStorageForTest(await temporaryFolder()), placeOf(source))
  await synced
  expect((await readFile(path)).equals(await readFile(source))).toBe(true)
  expect(facts).toEqual(await digestFile(source))
})

test('a source that cannot be read leaves nothing behind', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(root)
  for (const source of ['/nowhere/at/all', root]) {
    await expect(copyStaged(storage, placeOf(source))).rejects.toThrow(CopySourceUnreadable)
  }
  const left = await readdir(root, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
})
