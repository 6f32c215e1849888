import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { must } from '../../contract/must.ts'
import { writeForeignZip } from '../../tests/support/picpeak/write-zip.ts'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { openZip } from './read-zip.ts'

async function writeFileWith(...entries: Parameters<typeof writeForeignZip>[0]): Promise<string> {
  const file = join(await temporaryFolder(), 'x.zip')
  await writeFile(file, writeForeignZip(entries))
  return file
}

const bytes = Buffer.from('content')

test('names are UTF-8 with and without the flag, and otherwise CP437', async () => {
  const file = await writeFileWith(
    { name: 'Blumenstrauß/1.jpg', bytes },
    { name: 'Blumenstrauß/2.jpg', bytes, flags: 0 },
    { name: Buffer.from('B\x84ume/3.jpg', 'latin1'), bytes, flags: 0 },
    { name: 'Windows\\4.jpg', bytes, flags: 0 },
  )
  const zip = await openZip(file)
  expect(zip.entries.map(({ name }) => name)).toEqual([
    'Blumenstrauß/1.jpg',
    'Blumenstrauß/2.jpg',
    'Bäume/3.jpg',
    'Windows/4.jpg',
  ])
  zip.close()
})

test('names that lead out of the folder, links and folders are no entries', async () => {
  const unsafe = ['../up.jpg', '/etc/passwd', 'C:/x.jpg', 'a/../../b.jpg']
  const file = await writeFileWith(
    ...unsafe.map((name) => ({ name, bytes })),
    { name: 'link.jpg', bytes, mode: 0o120777 },
    { name: 'folder/', bytes: Buffer.alloc(0) },
    { name: 'good.jpg', bytes },
  )
  const zip = await openZip(file)
  expect(zip.entries.map(({ name }) => name)).toEqual(['good.jpg'])
  expect(zip.unsafeNames).toEqual([...unsafe, 'link.jpg'])
  zip.close()
})

test('an entry that expands too much is not opened', async () => {
  const file = await writeFileWith(
    { name: 'bomb.jpg', bytes: Buffer.alloc(2 ** 20), size: 257 * 2 ** 20 },
    { name: 'good.jpg', bytes },
  )
  const zip = await openZip(file)
  const [bomb, good] = zip.entries
  await expect(bomb?.open()).rejects.toThrow('expands too much')
  expect(await text(await must(good, 'an entry').open())).toBe('content')
  zip.close()
})

test('a file that is read in ranges is read in few of them', async () => {
  const content = Buffer.alloc(3 * 2 ** 20, 'abc')
  const entries = Array.from({ length: 300 }, (_, index) => ({ name: `${index}.jpg`, bytes }))
  const file = await writeFileWith(...entries, { name: 'large.jpg', bytes: content })
  const sizeBytes = writeForeignZip([...entries, { name: 'large.jpg', bytes: content }]).length
  let requests = 0
  const zip = await openZip({
    sizeBytes,
    async openRange(range) {
      requests++
      return createReadStream(file, range)
    },
  })
  expect(zip.entries).toHaveLength(301)
  expect(requests).toBe(1)
  expect(content.equals(await buffer(await must(zip.entries.at(-1), 'an entry').open()))).toBe(true)
  expect(requests).toBe(2)
  zip.close()
})
