import { describe, expect, test } from 'vitest'
import { type CodeBlock, documents, listCodeBlocks } from '../support/docs/snippets.ts'
import { readText, testFiles } from './source-files.ts'

/** Blocks of these languages are results and data. Everything else is something that a reader runs or installs. */
const shown = ['text', 'json']

const tests = testFiles('tests')
  .filter((file) => !file.startsWith('tests/architecture/'))
  .map(readText)
  .join('\n')
const namesIn = (pattern: RegExp) => new Set([...tests.matchAll(pattern)].map(([, name = '']) => name))

const blocks = documents.flatMap(listCodeBlocks)
const read = { test: namesIn(/readBlock\('([\w-]+)'/g), output: namesIn(/assertOutput\('([\w-]+)'/g) }

/** The pages whose blocks of one language a test reads as a whole, whatever the blocks are. */
const wholePages: Record<string, Set<string>> = {
  sh: namesIn(/runPage\('([\w-]+)'/g),
  ts: namesIn(/writeScripts\(getPagePath\('([\w-]+)'/g),
}
const isReadWhole = ({ document, language }: CodeBlock): boolean => {
  const [, page = ''] = /^docs\/integrating\/([\w-]+)\.md$/.exec(document) ?? []
  return wholePages[language]?.has(page) ?? false
}

const describeBlock = ({ document, text }: CodeBlock) => `${document}: ${text.split('\n')[0]}`

describe('each code block', () => {
  test('is in the form that this test finds, and names its language', () => {
    for (const document of documents) {
      const fences = readText(document).match(/^ *```/gm) ?? []
      expect(listCodeBlocks(document).length * 2, document).toBe(fences.length)
    }
    expect(blocks.filter(({ language }) => language === '').map(describeBlock)).toEqual([])
  })

  test('that a reader runs is run by a test, or says above it why not: <!-- not tested: needs systemd -->', () => {
    const isMarked = (mark: string | null) => /^(test: [\w-]+|not tested: \w.{5,})$/.test(mark ?? '')
    const open = blocks.filter(
      (block) => !shown.includes(block.language) && !isMarked(block.mark) && !isReadWhole(block),
    )
    expect(open.map(describeBlock)).toEqual([])
  })

  test('with a mark <!-- test: name --> or <!-- output: name --> has another name, which a test reads', () => {
    for (const kind of ['test', 'output'] as const) {
      const names = blocks.flatMap(({ mark }) => (mark?.startsWith(`${kind}: `) ? [mark.slice(kind.length + 2)] : []))
      expect(names.sort()).toEqual([...read[kind]].sort())
    }
  })
})

/** Pages that somebody follows while they work, so they must be short. */
const guides = ['installing', 'docker', 'upgrading', 'backup', 'restoring', 'proxies', 'reachable', 'moving']
const maxWords = 1000

test('a guide can be read in five minutes', () => {
  for (const name of guides) {
    const page = readText(`docs/operating/${name}.md`)
    const prose = page.replaceAll(/^( *)```.*?^\1```$/gms, '').replaceAll(/\]\([^)]*\)|<!--.*?-->/g, '')
    expect(prose.match(/[\p{L}\p{N}][^\s|]*/gu)?.length, name).toBeLessThan(maxWords)
  }
})
