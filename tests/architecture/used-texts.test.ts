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

/** What is put together of what is wrong: `${problem}Fix` and its like. */
const composedOfHealth = /^((folder|bucket)(Broken|Unreadable)|(storageBroken|storeRefuses|storeAway)Fix)$/

test('every text of the health page is said by one of its checks', () => {
  const code = sourceFiles('server/health')
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const texts = JSON.parse(readFileSync(join(root, 'texts/health/en.json'), 'utf8'))
  const isSaid = (key: string) => code.includes(`'${key}'`)
  expect(Object.keys(texts).filter((key) => !composedOfHealth.test(key) && !isSaid(key))).toEqual([])
})
