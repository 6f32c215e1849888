import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './source-files.ts'

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['operating', 'integrating'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
  ),
]

/** What the headings of a document are called in a link. */
function anchorsOf(document: string): string[] {
  const headings = [...readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.*)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documents', () => {
  test.each(documents)('every link of %s leads to something that is there', (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([])
  })

  test.each(documents)('every link of %s to a heading leads to one that is there', (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const isThere = ([, link = '', anchor = '']: RegExpMatchArray) =>
      anchorsOf(link === '' ? document : join(dirname(document), link)).includes(anchor)
    expect(links.filter((link) => !isThere(link)).map(([link]) => link)).toEqual([])
  })

  test('every variable that the service reads stands in the operating guide', () => {
    const config = readFileSync(join(root, 'server/platform/config.ts'), 'utf8')
    const names = [...config.matchAll(/read(?:<[^(]*>)?\('(\w+)'/g)].map(([, name = '']) => name)
    const guide = readFileSync(join(root, 'docs/operating/running.md'), 'utf8')
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  })

  test('every script that the contributing guide names exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const named = [...guide.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})
