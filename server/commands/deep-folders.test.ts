import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { folderSource } from '../receiving/imports/folder-source.ts'
import { listPictures } from './share-folder.ts'

/** Returns a folder with one picture in it and one below 80 folders with long names. */
async function createDeepFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const deepest = join(folder, 'event', ...Array(80).fill('n'.repeat(30)))
  await mkdir(deepest, { recursive: true })
  await writeFile(join(folder, 'event', 'a.jpg'), 'a')
  await writeFile(join(deepest, 'b.jpg'), 'b')
  return folder
}

test('share names a folder that is nested too deeply, shortened, and lists the rest', async () => {
  const { pictures, tooDeep } = await listPictures(await createDeepFolder(), [])
  expect(pictures.map(({ path }) => path)).toEqual(['event/a.jpg'])
  expect(tooDeep).toEqual([
    { name: expect.stringMatching(/^event\/.{0,120}$/), reason: 'The folder is nested too deeply.' },
  ])
})

test('an import names a folder that is nested too deeply, and lists the rest', async () => {
  const leftOut: unknown[] = []
  const found: string[] = []
  const source = folderSource(await createDeepFolder())
  for await (const { path } of source.listFiles('event', (...one) => leftOut.push(one))) found.push(path)
  expect(found).toEqual(['event/a.jpg'])
  expect(leftOut).toEqual([[expect.stringMatching(/^.{1,500}$/), 'too deep']])
})
