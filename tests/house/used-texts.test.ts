import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

/** Texts whose keys are put together: `redShort` and its like. */
const composed = /^(red|yellow|green|blue|purple)Short$/

test('every text that guests may read is said somewhere: none travels with each page for nothing', () => {
  const sources = ['web', 'server', 'contract']
    .flatMap(sourceFiles)
    .map((file) => readFileSync(join(root, file), 'utf8'))
  const code = sources.join('\n')
  const texts = JSON.parse(readFileSync(join(root, 'texts/gallery/en.json'), 'utf8'))
  const isSaid = (key: string) => new RegExp(`['"\`]${key}['"\`]|\\.${key}\\b`).test(code)
  expect(Object.keys(texts).filter((key) => !composed.test(key) && !isSaid(key))).toEqual([])
})
