import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type SettingKey, settingDefaults, settingShapes } from '../../contract/settings.ts'
import { variables } from '../../server/platform/configuration/variables.ts'
import { variablesPage } from '../../tools/variables-page.ts'
import { documents } from '../support/docs/snippets.ts'
import { readText, root, sourceFiles } from './source-files.ts'

/** Returns the first group of each match. */
const find = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

const listAnchors = (document: string): string[] =>
  find(readText(document), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every link of a document has a target, and every command and script in it exists', () => {
  const commands = sourceFiles('server/commands').flatMap((file) => find(readText(file), /\.command\('([\w-]+)/g))
  const { scripts } = JSON.parse(readText('package.json'))
  for (const document of documents) {
    const text = readText(document)
    for (const [, link = '', , anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(#([^)]+))?\)/g)) {
      const target = link === '' ? document : join(dirname(document), link)
      expect(existsSync(join(root, target)), `${document}: ${link}`).toBe(true)
      if (anchor !== undefined) expect(listAnchors(target), `${document}: ${link}#${anchor}`).toContain(anchor)
    }
    const named = find(text, /(?:exec (?:-T )?[\w-]+ |bin\/|sudo -u proofroom |`)proofroom ([a-z][\w-]*)/g)
    expect(
      named.filter((name) => !commands.includes(name)),
      document,
    ).toEqual([])
  }
  const named = find(readText('CONTRIBUTING.md'), /npm run ([\w:]+(?:-\w+)*)/g)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('the index lists every page of the guides', () => {
  const index = readText('docs/README.md')
  const pages = documents.filter((document) => /^docs\/\w+\//.test(document))
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((page) => !index.includes(`](${page.replace('docs/', '')})`))).toEqual([])
})

test('the pages of variables and settings list exactly those of the service', () => {
  const page = readText('docs/operating/variables.md')
  expect(page, 'written anew by `npm run variables`').toBe(variablesPage())
  expect(find(page, /^\| `(\w+)` \|/gm)).toEqual(Object.keys(variables))

  const settings = readText('docs/operating/settings.md')
  for (const table of Object.values(createSettingsTables())) expect(settings).toContain(table)
  expect(find(settings, /^\| `(\w+)` \|/gm).sort()).toEqual(Object.keys(settingDefaults).sort())
})

type Shape = {
  type?: string
  enum?: string[]
  anyOf?: Shape[]
  minimum?: number
  maximum?: number
  maxItems?: number
  maxLength?: number
  description?: string
  'x-pattern'?: string
}

function createSettingsTables(): Record<string, string> {
  const rows = Object.entries(settingShapes) as Array<[SettingKey, Shape]>
  const groups = Object.groupBy(rows, ([key]) => key.slice(0, key.indexOf('_')))
  return Object.fromEntries(
    Object.entries(groups).map(([group, settings = []]) => [
      group,
      ['| Setting | Default | Takes | Meaning |', '| --- | --- | --- | --- |', ...settings.map(formatRow)].join('\n'),
    ]),
  )
}

const formatRow = ([key, shape]: [SettingKey, Shape]): string =>
  `| \`${key}\` | ${formatDefault(settingDefaults[key])} | ${formatBounds(shape)} | ${shape.description} |`

function formatDefault(value: unknown): string {
  if (value === null) return 'none'
  if (value === '') return 'empty'
  if (Array.isArray(value)) return '`[]`'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return `\`${value}\``
}

function formatBounds({ anyOf, ...shape }: Shape): string {
  const { type, enum: words, minimum, maximum, maxItems, maxLength, 'x-pattern': pattern } = anyOf?.[0] ?? shape
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'array') return `a list of at most ${maxItems}`
  if (type === 'integer') return `${minimum} to ${maximum}`
  return pattern ? pattern.replace(/^must (be )?/, '') : `at most ${maxLength} characters`
}

test('the tests that are named for each part of the contract exist, in the tier of their column', () => {
  const table = readText('CONTRIBUTING.md').split('### What proves what')[1]?.split('\n## ')[0] ?? ''
  const rows = find(table, /^\| (\w.*) \|$/gm).slice(1)
  expect(rows).toHaveLength(22)
  for (const [part = '', ...tiers] of rows.map((row) => row.replaceAll(/[`\\]/g, '').split(' | '))) {
    for (const [column, names] of tiers.entries()) {
      for (const name of names.split(/, (?![^{]*\})/)) {
        const path = /^(tests|server)\//.test(name) ? name : `tests/api/${name}`
        const patterns = [`${path}${column === 0 ? '' : '.full'}.test.ts`, `${path}/**/*.test.ts`]
        expect(globSync(patterns, { cwd: root }).length, `${part}: ${name}`).toBeGreaterThan(0)
      }
    }
  }
})
