import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../server')
const allowed = new Set(['platform/database/transaction.ts'])

test('every transaction names its lock or is read-only', async () => {
  const files = (await readdir(root, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  const opening: string[] = []
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8')
    if (/\.(transaction|startTransaction)\(/.test(text) && !allowed.has(file)) opening.push(file)
  }
  expect(opening).toEqual([])
})
