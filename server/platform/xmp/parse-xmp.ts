import { SaxesParser, type SaxesTagNS } from 'saxes'
import type { Description, FoundValue, ItemList, ParsedXmp, Range } from './parsed-xmp.ts'
import { RejectedXmp, wrongStructure } from './rejected-xmp.ts'
import {
  darktableColors,
  findPropertyName,
  keywordsProperty,
  type PropertyName,
  rdfNamespace,
  type XmpProperty,
} from './xmp-properties.ts'

type Role = 'wrapper' | 'rdf' | 'description' | 'value' | 'keywords' | 'colors' | 'list' | 'item' | 'other'
type OpenElement = {
  role: Role
  tagName: string
  start: number
  contentStart: number
  text: string
  key: PropertyName | undefined
}

/** Deeper documents take long to parse, because the parser looks up prefixes in all open elements. */
const maxDepth = 100
const maxDescriptions = 500
/** Far above those of real files. More would exceed the memory of an image worker. */
const maxElements = 200_000
const maxAttributes = 10_000
const maxKeywords = 10_000
const maxCopies = 100

/** Finds the values that this module knows. Throws RejectedXmp. */
export function parseXmp(text: string): ParsedXmp {
  const scan = new XmpScan(text)
  scan.run()
  return scan.result()
}

class XmpScan {
  readonly #text: string
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #open: OpenElement[] = []
  readonly #descriptions: Description[] = []
  readonly #values: ParsedXmp['values'] = new Map()
  readonly #keywords: ItemList[] = []
  readonly #darktableColors: ItemList[] = []
  #list: ItemList | null = null
  #rdf: ParsedXmp['rdf'] | null = null
  #outerNamespaces = new Map<string, string>()
  #packetEnd: number | null = null
  #attributes: Array<Range & { quote: string; name: string }> = []
  #nameEnd = 0
  #elementCount = 0

  constructor(text: string) {
    this.#text = text
  }

  run(): void {
    const parser = this.#parser
    parser.on('error', (error) => {
      throw new RejectedXmp('malformed', `The file is not well-formed XML: ${error.message}`)
    })
    parser.on('doctype', () => {
      throw new RejectedXmp('doctype', 'The file has a document type.')
    })
    parser.on('processinginstruction', ({ target, body }) => this.#handleInstruction(target, body.trimStart()))
    parser.on('comment', () => this.#assertPlainValue())
    parser.on('opentagstart', ({ name }) => this.#startTag(name))
    parser.on('attribute', ({ name }) => this.#addAttribute(name))
    parser.on('opentag', (tag) => this.#openElement(tag))
    parser.on('text', (text) => this.#addText(text))
    parser.on('cdata', (text) => this.#addText(text))
    parser.on('closetag', (tag) => this.#closeElement(tag))
    parser.write(this.#text).close()
  }

  result(): ParsedXmp {
    if (!this.#rdf) throw wrongStructure()
    return {
      descriptions: this.#descriptions,
      rdf: this.#rdf,
      values: this.#values,
      keywords: this.#keywords,
      darktableColors: this.#darktableColors,
      packetEnd: this.#packetEnd,
    }
  }

  #handleInstruction(target: string, body: string): void {
    this.#assertPlainValue()
    if (target !== 'xpacket') return
    if (body.startsWith('begin') && !/^begin=(["'])\ufeff?\1(\s|$)/.test(body)) {
      throw new RejectedXmp('packet', 'The xpacket does not begin with a byte order mark.')
    }
    if (body.startsWith('end')) this.#packetEnd = this.#text.lastIndexOf('<?', this.#parser.position)
  }

  /** A comment inside of a value would be lost. */
  #assertPlainValue(): void {
    if (this.#open.at(-1)?.role === 'value') throw wrongStructure()
  }

  #startTag(name: string): void {
    if (this.#open.length >= maxDepth || ++this.#elementCount > maxElements) throw wrongStructure()
    this.#nameEnd = this.#text.lastIndexOf('<', this.#parser.position - 1) + 1 + name.length
    this.#attributes = []
  }

  #addAttribute(name: string): void {
    if (this.#attributes.length >= maxAttributes) throw wrongStructure()
    const end = this.#parser.position
    const start = this.#attributes.at(-1)?.end ?? this.#nameEnd
    this.#attributes.push({ name, start, end, quote: this.#text[end - 1] ?? '' })
  }

  #openElement(tag: SaxesTagNS): void {
    const parent = this.#open.at(-1)
    const isValue = parent?.role === 'description'
    const key = isValue ? findPropertyName(tag.uri, tag.local) : undefined
    const role = key ? 'value' : this.#chooseRole(tag, parent?.role)
    const contentStart = this.#parser.position
    this.#open.push({
      role,
      tagName: tag.name,
      start: this.#nameEnd - tag.name.length - 1,
      contentStart,
      text: '',
      key,
    })
    const last = this.#descriptions.at(-1)
    if (isValue && last) last.hasElements = true
    if (role === 'wrapper' || role === 'rdf') addNamespaces(this.#outerNamespaces, tag)
    if (role === 'rdf') this.#openRdf(tag)
    else if (role === 'description') this.#openDescription(tag)
    else if (role === 'keywords') this.#keywords.push(this.#startList())
    else if (role === 'colors') this.#darktableColors.push(this.#startList())
    else if (role === 'value') assertNoQualifiers(tag)
  }

  #chooseRole({ uri, local }: SaxesTagNS, parent: Role | undefined): Role {
    const isRdf = uri === rdfNamespace
    if (parent === undefined && !(isRdf && local === 'RDF')) return 'wrapper'
    switch (parent) {
      case undefined:
      case 'wrapper':
        if (isRdf && local === 'RDF') return 'rdf'
        return 'other'
      case 'rdf':
        if (isRdf && local === 'Description') return 'description'
        throw wrongStructure()
      case 'description':
        if (isProperty(uri, local, keywordsProperty)) return 'keywords'
        return isProperty(uri, local, darktableColors) ? 'colors' : 'other'
      case 'keywords':
      case 'colors':
        return isRdf && ['Bag', 'Seq', 'Alt'].includes(local) ? 'list' : 'other'
      case 'list':
        return isRdf && local === 'li' ? 'item' : 'other'
      case 'value':
        throw wrongStructure()
      default:
        return 'other'
    }
  }

  #startList(): ItemList {
    const { start, contentStart } = this.#open.at(-1) as OpenElement
    this.#list = { items: [], start, end: contentStart }
    return this.#list
  }

  #openRdf({ prefix, isSelfClosing }: SaxesTagNS): void {
    if (this.#rdf) throw wrongStructure()
    this.#rdf = { contentStart: isSelfClosing ? null : this.#parser.position, prefix }
  }

  #openDescription(tag: SaxesTagNS): void {
    if (this.#descriptions.length >= maxDescriptions) throw wrongStructure()
    const namespaces = addNamespaces(new Map(this.#outerNamespaces), tag)
    const attributes = this.#attributes.map(({ name, ...place }) => {
      const { uri = '', local = '', value = '' } = tag.attributes[name] ?? {}
      const key = findPropertyName(uri, local)
      if (key) this.#addValue(key, { ...this.#valueRange(place), value, form: toQuote(place.quote), tagName: name })
      return { ...place, isProperty: ![rdfNamespace, xmlnsNamespace, xmlNamespace].includes(uri) }
    })
    this.#descriptions.push({
      tagName: tag.name,
      open: { start: this.#nameEnd - tag.name.length - 1, end: this.#parser.position },
      isSelfClosing: tag.isSelfClosing,
      attributes,
      nameEnd: this.#nameEnd,
      hasElements: false,
      namespaces,
    })
  }

  #valueRange({ end, quote }: Range & { quote: string }): Range {
    return { start: this.#text.lastIndexOf(quote, end - 2) + 1, end: end - 1 }
  }

  #addText(text: string): void {
    const current = this.#open.at(-1)
    if (current?.role === 'value' || current?.role === 'item') current.text += text
  }

  #closeElement({ isSelfClosing }: SaxesTagNS): void {
    const element = this.#open.pop()
    const { position } = this.#parser
    if (element?.role === 'value' && element.key) this.#addElementValue(element, element.key, isSelfClosing)
    const list = this.#list
    if (!list) return
    if (element?.role === 'keywords' || element?.role === 'colors') list.end = position
    if (element?.role !== 'item') return
    if (list.items.length >= maxKeywords) throw wrongStructure()
    const { text, start, tagName } = element
    list.items.push({ value: text.trim(), start, end: position, tagName })
  }

  #addElementValue({ text, tagName, contentStart }: OpenElement, key: PropertyName, isSelfClosing: boolean): void {
    if (isSelfClosing) {
      const start = this.#text.lastIndexOf('/', contentStart - 1)
      this.#addValue(key, { start, end: contentStart, value: '', form: 'emptyTag', tagName })
      return
    }
    const contentEnd = this.#text.lastIndexOf('</', this.#parser.position - 1)
    const content = this.#text.slice(contentStart, contentEnd)
    const start = contentStart + (content.length - content.trimStart().length)
    const end = Math.max(start, contentStart + content.trimEnd().length)
    this.#addValue(key, { start, end, value: text, form: 'element', tagName })
  }

  #addValue(key: PropertyName, value: FoundValue): void {
    const values = this.#values.get(key) ?? []
    if (values.length >= maxCopies) throw wrongStructure()
    values.push({ ...value, value: value.value.trim() })
    this.#values.set(key, values)
  }
}

const isProperty = (uri: string, local: string, { namespace, name }: XmpProperty): boolean =>
  uri === namespace && local === name

const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

function addNamespaces(namespaces: Map<string, string>, { ns }: SaxesTagNS): Map<string, string> {
  for (const [prefix, uri] of Object.entries(ns)) namespaces.set(prefix, uri)
  return namespaces
}

/** A value with qualifiers is written in other elements. */
function assertNoQualifiers({ attributes }: SaxesTagNS): void {
  const isPlain = Object.values(attributes).every(({ uri }) => uri === xmlNamespace || uri === xmlnsNamespace)
  if (!isPlain) throw wrongStructure()
}

function toQuote(quote: string): '"' | "'" {
  if (quote !== '"' && quote !== "'") throw wrongStructure()
  return quote
}
