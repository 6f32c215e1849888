import { type ColorLabel, colorLabels } from '../../../contract/color-labels.ts'
import type { Description, ParsedXmp } from './parsed-xmp.ts'
import { wrongStructure } from './rejected-xmp.ts'
import { escapeText } from './xmp-escape.ts'
import { type PropertyName, rdfNamespace, type XmpProperty, xmpProperties } from './xmp-properties.ts'

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

/** Replaces the colors in lists of darktable that have some. Its numbers are 0 to 4, in the order of `colorLabels`. */
export function replaceDarktableColors({ darktableColors }: ParsedXmp, color: ColorLabel | null): Patch[] {
  const wanted = color === null ? null : String(colorLabels.indexOf(color))
  return darktableColors.flatMap(({ items }) => {
    const [first, last] = [items[0], items.at(-1)]
    if (!first || !last || (items.length === 1 && first.value === wanted)) return []
    const { end, tagName } = last
    return [{ start: first.start, end, text: wanted === null ? '' : `<${tagName}>${wanted}</${tagName}>` }]
  })
}

/** Returns the element that has other properties of the namespace, or the first one. */
export const findTarget = ({ descriptions }: ParsedXmp, namespace: string): Description | undefined =>
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

export function createElement(text: string, target: Description, property: XmpProperty, content: string): string {
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
export const readIndent = (text: string, position: number): string =>
  /^\s*/.exec(text.slice(position, position + 200))?.[0] ?? ''

export const readIndentBefore = (text: string, position: number): string =>
  /(\r?\n[ \t]*)?$/.exec(text.slice(Math.max(0, position - 200), position))?.[0] ?? ''
