import type { Description, ItemList, ParsedXmp } from './parsed-xmp.ts'
import { wrongStructure } from './rejected-xmp.ts'
import { cleanText, escapeText } from './xmp-escape.ts'
import { createElement, findTarget, type Patch, readIndent, readIndentBefore } from './xmp-insertions.ts'
import { keywordsProperty } from './xmp-properties.ts'

/** Keywords that begin like this are those of this program. */
export const ownKeywordPrefix = 'Proofroom: '

/** Adds the keywords that are missing, and removes other ones with `ownKeywordPrefix`. Those of others stay. */
export function replaceOwnKeywords(text: string, parsed: ParsedXmp, keywords: readonly string[]): Patch[] {
  const wanted = new Set(keywords.map(cleanText))
  if ([...wanted].some((keyword) => !keyword.startsWith(ownKeywordPrefix))) throw new Error('A keyword has no prefix')
  const known = new Set(parsed.keywords.flatMap(({ items }) => items.map(({ value }) => value)))
  const missing = [...wanted].filter((keyword) => !known.has(keyword))
  const isOutdated = (value: string) => value.startsWith(ownKeywordPrefix) && !wanted.has(value)
  const outdated = parsed.keywords.flatMap(({ items }) => items.filter(({ value }) => isOutdated(value)))
  const removed = outdated.map(({ start, end }) => ({ start: start - readIndentOf(text, start).length, end, text: '' }))
  const list = parsed.keywords.find(({ items }) => items.length > 0)
  if (missing.length > 0) {
    // A new property is inserted before the place of an old one without keywords.
    return list
      ? [...removed, addItems(text, list, missing)]
      : [addList(text, parsed, missing), ...removeEmpty(text, parsed)]
  }
  const isEmptied = list !== undefined && outdated.length === known.size && outdated.length > 0
  return isEmptied ? removeEmpty(text, parsed) : removed
}

function addItems(text: string, { items }: ItemList, missing: readonly string[]): Patch {
  const last = items.at(-1)
  if (!last) throw wrongStructure()
  const { start, end, tagName } = last
  const indent = readIndentOf(text, start)
  const added = missing.map((keyword) => `${indent}<${tagName}>${escapeText(keyword)}</${tagName}>`)
  return { start: end, end, text: added.join('') }
}

const readIndentOf = (text: string, position: number): string =>
  /\s*$/.exec(text.slice(Math.max(0, position - 200), position))?.[0] ?? ''

const removeEmpty = (text: string, { keywords }: ParsedXmp): Patch[] =>
  keywords.map(({ start, end }) => ({ start: start - readIndentOf(text, start).length, end, text: '' }))

function addList(text: string, parsed: ParsedXmp, missing: readonly string[]): Patch {
  const target = findTarget(parsed, keywordsProperty.namespace)
  if (!target) throw wrongStructure()
  return createList(text, target, { missing, rdf: parsed.rdf.prefix })
}

function createList(
  text: string,
  target: Description,
  { missing, rdf }: { missing: readonly string[]; rdf: string },
): Patch {
  const { open, isSelfClosing, tagName } = target
  const outer = readIndentBefore(text, open.start)
  const indent = target.hasElements ? readIndent(text, open.end) : `${outer} `
  const item = (keyword: string) => `${indent}  <${rdf}:li>${escapeText(keyword)}</${rdf}:li>`
  const bag = `${indent} <${rdf}:Bag>${missing.map(item).join('')}${indent} </${rdf}:Bag>${indent}`
  const element = indent + createElement(text, target, keywordsProperty, bag)
  if (!isSelfClosing) return { start: open.end, end: open.end, text: element }
  const start = text.lastIndexOf('/', open.end - 1)
  return { start, end: open.end, text: `>${element}${outer}</${tagName}>` }
}
