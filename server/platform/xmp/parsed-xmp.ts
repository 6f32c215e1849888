import type { PropertyName } from './xmp-properties.ts'

/** Positions are indexes in the text. */
export type Range = { start: number; end: number }

/** `form` says how the value is written; the range of an empty tag (`<xmp:Label/>`) is its end `/>`. */
export type FoundValue = Range & { value: string; form: '"' | "'" | 'element' | 'emptyTag'; tagName: string }

export type Description = {
  tagName: string
  /** `open.end` is after the `>`. */
  open: Range
  isSelfClosing: boolean
  /** Attributes with the whitespace before them, namespace declarations included. */
  attributes: Array<Range & { quote: string; isProperty: boolean }>
  nameEnd: number
  hasElements: boolean
  /** Namespace by prefix, as it is inside of the element. */
  namespaces: ReadonlyMap<string, string>
}

export type ListItem = Range & { value: string; tagName: string }

/** The range is that of the property with its list. */
export type ItemList = Range & { items: ListItem[] }

export type ParsedXmp = {
  descriptions: Description[]
  /** The end of `<rdf:RDF …>`, or null for a self-closing tag. */
  rdf: { contentStart: number | null; prefix: string }
  values: Map<PropertyName, FoundValue[]>
  keywords: ItemList[]
  /** The lists of darktable. */
  darktableColors: ItemList[]
  /** Where `<?xpacket end` starts; null for a file without. */
  packetEnd: number | null
}
