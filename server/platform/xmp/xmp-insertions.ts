import { type ColorLabel, colorLabels } from '../../../contract/color-labels.ts'
import type { Description, ParsedXmp } from './parsed-xmp.ts'
import { wrongStructure } from './rejected-xmp.ts'
import { cleanText, escapeText } from './xmp-escape.ts'
import { keywordsProperty, type PropertyName, rdfNamespace, type XmpProperty, xmpProperties } from './xmp-properties.ts'

/** `text` replaces the characters from `start` to `end`. */
export type Patch = { start: number; end: number; text: string }

type NewValue = readonly [name: PropertyName, value: string]

/** Adds missing properties as the file writes others: as attributes or as elements, with its quotes and line breaks. */
export function addProperties(text: string, parsed: ParsedXmp, values: readonly NewValue[]): Patch[] {
  if (values.length === 0) return []
  const properties = values.map(([name, value]) => ({ ...xmpProperties[name], value: escapeText(value) }))
  const target = findTarget(parsed, xmpProperties.rating.namespace)
  if (!target) return [addDescription(text, parsed, properties)]
  if (usesElements(target)) {
    const indent = readIndent(text, target.open.end)
    const elements = properties.map((property) => indent + createElement(text, target, property, property.value))
    return [{ start: target.open.end, end: target.open.end, text: elements.join('') }]
  }
  return [addAttributes(text, target, properties)]
}

/** Adds keywords that are missing to the list of the file, or with a new list. */
export function addKeywords(text: string, parsed: ParsedXmp, keywords: readonly string[]): Patch[] {
  const known = new Set(parsed.keywords.flatMap(({ items }) => items))
  const missing = [...new Set(keywords.map(cleanText))].filter((keyword) => keyword !== '' && !known.has(keyword))
  if (missing.length === 0) return []
  const lastItem = parsed.keywords.find((list) => list.lastItem)?.lastItem
  if (lastItem) {
    const { start, end, tagName } = lastItem
    const indent = /\s*$/.exec(text.slice(0, start))?.[0] ?? ''
    const items = missing.map((keyword) => `${indent}<${tagName}>${escapeText(keyword)}</${tagName}>`)
    return [{ start: end, end, text: items.join('') }]
  }
  const target = findTarget(parsed, keywordsProperty.namespace)
  if (parsed.keywords.length > 0 || !target) throw wrongStructure()
  return [addKeywordList(text, target, { missing, rdf: parsed.rdf.prefix })]
}

/** Replaces the colors in lists of darktable that have some. Its numbers are 0 to 4, in the order of `colorLabels`. */
export function replaceDarktableColors({ darktableColors }: ParsedXmp, color: ColorLabel | null): Patch[] {
  const wanted = color === null ? null : String(colorLabels.indexOf(color))
  return darktableColors.flatMap(({ items, firstStart: start, lastItem }) => {
    if (start === null || lastItem === null || (items.length === 1 && items[0] === wanted)) return []
    const { end, tagName } = lastItem
    return [{ start, end, text: wanted === null ? '' : `<${tagName}>${wanted}</${tagName}>` }]
  })
}

function addKeywordList(
  text: string,
  target: Description,
  { missing, rdf }: { missing: string[]; rdf: string },
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

/** Returns the element that has other properties of the namespace, or the first one. */
const findTarget = ({ descriptions }: ParsedXmp, namespace: string): Description | undefined =>
  descriptions.find(({ namespaces }) => [...namespaces.values()].includes(namespace)) ?? descriptions[0]

const usesElements = ({ attributes, hasElements }: Description): boolean =>
  hasElements && !attributes.some(({ isProperty }) => isProperty)

type NewProperty = XmpProperty & { value: string }

function addAttributes(text: string, target: Description, properties: readonly NewProperty[]): Patch {
  const last = target.attributes.at(-1)
  const space = (last && /^\s+/.exec(text.slice(last.start, last.end))?.[0]) || ' '
  const quote = last?.quote ?? '"'
  const namespaces = new Map(target.namespaces)
  const added = properties.map((property) => {
    const { prefix, declaration } = choosePrefix(namespaces, property, quote)
    namespaces.set(prefix, property.namespace)
    const declared = declaration === '' ? '' : `${space}${declaration}`
    return `${declared}${space}${prefix}:${property.name}=${quote}${property.value}${quote}`
  })
  const end = last?.end ?? target.nameEnd
  return { start: end, end, text: added.join('') }
}

function createElement(text: string, target: Description, property: XmpProperty, content: string): string {
  const quote = target.attributes.at(-1)?.quote ?? (text.includes('="') ? '"' : "'")
  const { prefix, declaration } = choosePrefix(target.namespaces, property, quote)
  const name = `${prefix}:${property.name}`
  return `<${name}${declaration === '' ? '' : ` ${declaration}`}>${content}</${name}>`
}

/** Returns the prefix that the file uses, or a new one with its declaration. */
function choosePrefix(
  namespaces: ReadonlyMap<string, string>,
  { namespace, prefix }: XmpProperty,
  quote: string,
): { prefix: string; declaration: string } {
  for (const [known, uri] of namespaces)
    if (uri === namespace && known !== '') return { prefix: known, declaration: '' }
  let free = prefix
  for (let number = 1; namespaces.has(free); number++) free = `${prefix}${number}`
  return { prefix: free, declaration: `xmlns:${free}=${quote}${namespace}${quote}` }
}

/** For a packet without any `rdf:Description`. */
function addDescription(text: string, { rdf }: ParsedXmp, properties: readonly NewProperty[]): Patch {
  if (rdf.contentStart === null || rdf.prefix === '') throw wrongStructure()
  const namespaces = new Map([[rdf.prefix, rdfNamespace]])
  const attributes = properties.map((property) => {
    const { prefix, declaration } = choosePrefix(namespaces, property, '"')
    namespaces.set(prefix, property.namespace)
    return `${declaration === '' ? '' : ` ${declaration}`} ${prefix}:${property.name}="${property.value}"`
  })
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const description = `${lineBreak}  <${rdf.prefix}:Description ${rdf.prefix}:about=""${attributes.join('')}/>`
  return { start: rdf.contentStart, end: rdf.contentStart, text: description }
}

/** Returns the whitespace before the first child of an element whose content starts at `position`. */
const readIndent = (text: string, position: number): string =>
  /^\s*/.exec(text.slice(position, position + 200))?.[0] ?? ''

const readIndentBefore = (text: string, position: number): string =>
  /(\r?\n[ \t]*)?$/.exec(text.slice(Math.max(0, position - 200), position))?.[0] ?? ''
