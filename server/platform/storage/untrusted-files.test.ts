import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rename, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { openRegularFile, readBounded, UnsafeFile, withFolder, withParentFolder } from './untrusted-files.ts'

let root: string
let outside: string
beforeEach(async () => {
  root = await temporaryFolder()
  outside = await temporaryFolder()
  await writeFile(join(outside, 'secret'), 'secret')
})

const expectUnsafe = (work: Promise<unknown>): Promise<void> => expect(work).rejects.toThrow(UnsafeFile)

test('files of others are read below a folder, whatever their names are', async () => {
  const names = ['Ærø & Ünal 1', 'Bräutigam'.normalize('NFD'), Buffer.from([0x66, 0xe9])]
  await withFolder({ root, path: names }, (folder) => writeFile(folder.at('a b.xmp'), 'some text'), { creates: true })
  const found = await readBounded({ root, path: [...names, 'a b.xmp'] }, 9)
  expect(found.toString()).toBe('some text')
  await symlink(root, join(outside, 'named by the operator'))
  const named = { root: join(outside, 'named by the operator'), path: [...names, 'a b.xmp'] }
  expect(await readBounded(named, 9)).toEqual(found)
})

test('files of others are not read through links, also where a folder above is one', async () => {
  await symlink(join(outside, 'secret'), join(root, 'link'))
  await symlink(outside, join(root, 'folder'))
  await mkdir(join(root, 'a'))
  await symlink(outside, join(root, 'a/b'))
  for (const path of ['link', 'folder/secret', 'a/b/secret', 'folder']) {
    await expectUnsafe(readBounded({ root, path }, 100))
  }
  await expectUnsafe(withFolder({ root, path: 'folder/new' }, async () => undefined, { creates: true }))
  expect(await readdir(outside)).toEqual(['secret'])
})

test.each(['..', '../secret', 'a/../../secret', '.', ['a/b'], [''], ['a\0']])(
  'files of others are not outside of a folder: %j',
  async (path) => {
    await expectUnsafe(withFolder({ root, path }, async () => undefined))
    await expectUnsafe(readBounded({ root, path }, 100))
  },
)

test('files of others are regular files of a bounded size', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')])
  await writeFile(join(root, 'large'), '')
  await truncate(join(root, 'large'), 2 ** 32)
  await mkdir(join(root, 'folder'))
  for (const path of ['pipe', 'folder', 'large']) await expectUnsafe(readBounded({ root, path }, 2 ** 20))
  await expectUnsafe(openRegularFile({ root: '/dev', path: 'zero' }))
  await expectUnsafe(readBounded({ root: '/proc/self', path: 'maps' }, 10))
})

test.runIf(process.platform === 'linux')(
  'files of others stay in their folder when a link takes its place meanwhile',
  async () => {
    await mkdir(join(root, 'a'))
    await withParentFolder({ root, path: 'a/file' }, async (folder, name) => {
      await rename(join(root, 'a'), join(root, 'moved'))
      await symlink(outside, join(root, 'a'))
      await writeFile(folder.at(name), 'written')
    })
    expect(await readdir(outside)).toEqual(['secret'])
    expect(await readdir(join(root, 'moved'))).toEqual(['file'])
  },
)

test('files of others are named by their paths in errors of the file system', async () => {
  await mkdir(join(root, 'a'))
  const missing = `'${root}/a/missing'`
  await expect(readBounded({ root, path: 'a/missing' }, 10)).rejects.toThrow(missing)
  await expect(withFolder({ root, path: 'a/missing' }, async () => undefined)).rejects.toThrow(missing)
})
