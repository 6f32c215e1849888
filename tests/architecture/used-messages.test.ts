import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { colorLabels } from '../../contract/marks.ts'
import { matchProblems } from '../../server/exports/match-sidecars.ts'
import { xmpRejections } from '../../server/platform/xmp/rejected-xmp.ts'
import { root, sourceFiles } from './source-files.ts'

/** Keys that the code composes, such as `redShort`. */
const composedKeys = /^(red|yellow|green|blue|purple)Short$/

test('every guest message is used, so that pages carry no unused text', () => {
  const sources = ['web', 'server', 'contract']
    .flatMap(sourceFiles)
    .map((file) => readFileSync(join(root, file), 'utf8'))
  const code = sources.join('\n')
  const texts = JSON.parse(readFileSync(join(root, 'locales/gallery/en.json'), 'utf8'))
  const isUsed = (key: string) => new RegExp(`['"\`]${key}['"\`]|\\.${key}\\b`).test(code)
  expect(Object.keys(texts).filter((key) => !composedKeys.test(key) && !isUsed(key))).toEqual([])
})

/** Keys that the code composes, such as `${problem}Fix`. */
const composedHealthKeys = /^((folder|bucket)(Broken|Unreadable)|(storageBroken|storeRefuses|storeAway)Fix)$/

test('every message of the health page is used by a check', () => {
  const code = sourceFiles('server/health')
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const texts = JSON.parse(readFileSync(join(root, 'locales/health/en.json'), 'utf8'))
  const isUsed = (key: string) => code.includes(`'${key}'`)
  expect(Object.keys(texts).filter((key) => !composedHealthKeys.test(key) && !isUsed(key))).toEqual([])
})

test('every message of exported tables is used', () => {
  const code = sourceFiles('server/exports')
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const texts = JSON.parse(readFileSync(join(root, 'locales/exports/en.json'), 'utf8'))
  const problems = [...matchProblems, ...xmpRejections].map((problem) => `notMerged_${problem}`)
  const composed = [...colorLabels, ...problems]
  const isUsed = (key: string) => code.includes(`'${key}'`) || composed.includes(key)
  expect(Object.keys(texts).filter((key) => !isUsed(key))).toEqual([])
})
