import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { variables } from '../../server/platform/variables.ts'
import { variablesPage } from '../../tools/variables-page.ts'
import { documents } from '../support/docs/snippets.ts'
import { root, sourceFiles } from './source-files.ts'

/** The names of all commands of `proofroom`. */
const commands = sourceFiles('server/commands').flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\.command\('([\w-]+)/g)].map(([, name = '']) => name),
)

function listAnchors(document: string): string[] {
  const headings = [...readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.*)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documents', () => {
  test.each(documents)('every link of %s has a target', (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([])
  })

  test.each(documents)('every link of %s to a heading has a target', (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const isThere = ([, link = '', anchor = '']: RegExpMatchArray) =>
      listAnchors(link === '' ? document : join(dirname(document), link)).includes(anchor)
    expect(links.filter((link) => !isThere(link)).map(([link]) => link)).toEqual([])
  })

  test('the index lists every page of the guides', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
    const pages = documents.filter((document) => /^docs\/\w+\//.test(document))
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.filter((page) => !index.includes(`](${page.replace('docs/', '')})`))).toEqual([])
  })

  test('the page of variables lists exactly the variables of the service', () => {
    const page = readFileSync(join(root, 'docs/operating/variables.md'), 'utf8')
    expect(page, 'written anew by `npm run variables`').toBe(variablesPage())
    const described = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(described).toEqual(Object.keys(variables))
  })

  test.each(documents)('every command that %s names exists', (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const named = [...text.matchAll(/(?:exec (?:-T )?[\w-]+ |bin\/|sudo -u proofroom |`)proofroom ([a-z][\w-]*)/g)].map(
      ([, name]) => name,
    )
    expect(named.filter((name) => !commands.includes(name ?? ''))).toEqual([])
  })

  test('every script that the contributing guide names exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const named = [...guide.matchAll(/npm run ([\w:]+(?:-\w+)*)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})
