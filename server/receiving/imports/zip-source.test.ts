import { expect, test } from 'vitest'
import type { OpenZip } from '../../archives/read-zip.ts'
import { zipSource } from './zip-source.ts'

const zipOf = (...names: string[]): OpenZip => ({
  entries: names.map((name) => ({
    name,
    sizeBytes: 1,
    crc32: 1,
    modifiedAt: 0,
    open: () => Promise.reject(new Error()),
  })),
  unsafeNames: [],
  close: () => undefined,
})

async function list(wrapper: string | null, ...names: string[]) {
  const source = zipSource(zipOf(...names), { wrapper, isUnchanged: async () => true })
  const files = []
  for (const folder of await source.listFolders()) {
    for await (const { path, folder: category } of source.listFiles(folder, () => undefined))
      files.push([path, category])
  }
  return { files, strays: await source.listStrays() }
}

test('the folders of a ZIP belong to different events', async () => {
  expect(
    await list(null, 'a/1.jpg', 'a/Party/deep/2.jpg', 'b/3.jpg', '4.jpg', 'a/.DS_Store', '__MACOSX/a/1.jpg'),
  ).toEqual({
    files: [
      ['a/1.jpg', null],
      ['a/Party/deep/2.jpg', 'Party'],
      ['b/3.jpg', null],
    ],
    strays: ['4.jpg'],
  })
})

test('for one event, folders are categories, and a folder around all others falls away', async () => {
  const all = [
    ['Gallery/1.jpg', null],
    ['Gallery/Party/2.jpg', 'Party'],
  ]
  expect((await list('Gallery', '1.jpg', 'Party/2.jpg')).files).toEqual(all)
  expect((await list('Gallery', 'Ana/1.jpg', 'Ana/Party/2.jpg', '__MACOSX/Ana/1.jpg')).files).toEqual(all)
  expect((await list('Gallery', 'Party/1.jpg', 'Party/2.jpg')).files).toEqual([
    ['Gallery/Party/1.jpg', 'Party'],
    ['Gallery/Party/2.jpg', 'Party'],
  ])
})
