import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { colorLabels } from '../../contract/marks.ts'
import { faultKinds, problems } from '../../contract/problems.ts'
import type { Messages } from '../../locales/translate.ts'
import { readText, sourceFiles } from './source-files.ts'

type Modules = Record<string, Messages<string>>

const english: Modules = JSON.parse(readText('locales/en/admin.json'))

const files = sourceFiles('web/admin')
  .filter((file) => !file.endsWith('.d.ts') && file !== 'web/admin/all-parts.tsx')
  .map((file) => ({ file, code: readText(file) }))

/** Gets the translate function of a module. */
const sharedCode = ['locales/format-photo-count.ts', 'contract/category-names.ts'].map(readText).join('\n')

describe('messages of the admin app', () => {
  test('every message is used', () => {
    const unused = Object.entries(english)
      .filter(([module]) => module !== 'problems')
      .flatMap(([module, texts]) => {
        const code = files
          .flatMap((file) => (file.code.includes(`translator('${module}')`) ? file.code : []))
          .concat(sharedCode)
          .join('\n')
        return Object.keys(texts)
          .filter((key) => !isUsed(code, key) && !colorLabels.some((color) => color === key))
          .map((key) => `${module}.${key}`)
      })
    expect(unused).toEqual([])
  })

  test('every problem code and every field error has a message', () => {
    const defined = Object.keys(english.problems ?? {})
    const expected = [...Object.keys(problems), ...faultKinds.map((kind) => `fault_${kind}`)]
    expect(expected.filter((key) => !defined.includes(key))).toEqual([])
    const clientOnly = /^(unreachable|unknown|fileTooLargeLimit|retryAfter\w+|faultOther)$/
    expect(defined.filter((key) => !expected.includes(key) && !clientOnly.test(key))).toEqual([])
  })

  test('the code contains no visible text', () => {
    expect(files.filter(({ file }) => file.endsWith('.tsx')).flatMap(listVisibleText)).toEqual([])
  })
})

/** Whether the code uses the key, directly or through a template literal. */
function isUsed(code: string, key: string): boolean {
  if (new RegExp(`['"]${key}['"]|\\b${key}:`).test(code)) return true
  return [...code.matchAll(/`(\w*)\$\{[^}`]+\}(\w*)`/g)].some(
    ([, start = '', end = '']) => (start !== '' || end !== '') && key.startsWith(start) && key.endsWith(end),
  )
}

/** A string that is a message key is not visible text. */
const keys = new Set(Object.values(english).flatMap((texts) => Object.keys(texts)))

/** Names that are the same in every language. */
const names =
  /^(Proofroom|CSV|XMP|PNG|SVG|ZIP|QR|URL|API|curl|Node|Python|PHP|Ruby|Go|Lightroom|Capture One|Photo Mechanic)$/
const visibleAttributes = new Set(
  'label title placeholder alt aria-label help caption text action about head'.split(' '),
)

/** Returns text in a file that is visible to a reader and is not a message. */
function listVisibleText({ file, code }: { file: string; code: string }): string[] {
  const found: string[] = []
  const isVisibleText = (text: string) =>
    /\p{L}{2}/u.test(text) && !names.test(text.trim()) && !/^https?:\/\//.test(text) && !keys.has(text)
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && isVisibleText(node.text) && !isInCode(node)) found.push(`${file}: ${node.text.trim()}`)
    const isAttribute = ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)
    if (isAttribute && visibleAttributes.has(node.name.getText())) {
      const { initializer } = node
      if (initializer && ts.isStringLiteral(initializer) && isVisibleText(initializer.text)) {
        found.push(`${file}: ${initializer.text}`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

const isInCode = ({ parent }: ts.Node): boolean =>
  ts.isJsxElement(parent) && /^(code|pre|kbd)$/.test(parent.openingElement.tagName.getText())
