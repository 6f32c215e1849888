import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { listFolder } from './list-folder.ts'

async function listed(root: string, prefix = ''): Promise<Map<string, number>> {
  const files = new Map<string, number>()
  for await (const { key, sizeBytes } of listFolder(root, prefix)) files.set(key, sizeBytes)
  return files
}

async function folderOf(count: number): Promise<string> {
  const root = await temporaryFolder()
  await mkdir(join(root, 'events/7'), { recursive: true })
  for (let number = 0; number < count; number++) {
    await writeFile(join(root, 'events/7', `${number}.jpg`), Buffer.alloc(number))
  }
  return root
}

const sizesUpTo = (count: number) =>
  new Map(Array.from({ length: count }, (_, number) => [`events/7/${number}.jpg`, number] as const))

test.each([0, 1, 64, 65])('a list of a folder contains %i files, each with its size', async (count) => {
  const root = await folderOf(count)
  for (const prefix of ['', 'events', 'events/7']) expect(await listed(root, prefix)).toEqual(sizesUpTo(count))
})

test('a list of a folder contains each size also when the disk is slow', async () => {
  const root = await folderOf(200)
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 2))
  onTestFinished(() => void vi.restoreAllMocks())
  expect(await listed(root)).toEqual(sizesUpTo(200))
})

test('a list of a folder leaves out files that are deleted during the listing', async () => {
  const root = await folderOf(200)
  const files: string[] = []
  for await (const { key } of listFolder(root, 'events/7')) {
    if (files.length === 0) await rm(join(root, 'events/7'), { recursive: true })
    files.push(key)
  }
  expect(files).toHaveLength(64)
})

test('a list of a folder of a missing folder is empty; one that cannot be read is an error', async () => {
  const root = await folderOf(1)
  expect(await listed(root, 'events/8')).toEqual(new Map())
  expect(await listed(root, 'events/7/0.jpg')).toEqual(new Map())
  await symlink(join(root, 'loop'), join(root, 'loop'))
  await expect(listed(root, 'loop/7')).rejects.toThrow('ELOOP')
})
