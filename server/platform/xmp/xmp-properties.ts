export const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

export type XmpProperty = { namespace: string; prefix: string; name: string }

const xmp = { namespace: 'http://ns.adobe.com/xap/1.0/', prefix: 'xmp' }
const photoshop = { namespace: 'http://ns.adobe.com/photoshop/1.0/', prefix: 'photoshop' }

const proofroom = { namespace: 'urn:proofroom:xmp/', prefix: 'proofroom' }

/** Properties with one text as their value. */
export const xmpProperties = {
  rating: { ...xmp, name: 'Rating' },
  label: { ...xmp, name: 'Label' },
  /** Lightroom writes it beside the label: a color in English, in lower case. It does not read it. */
  labelColor: { ...photoshop, name: 'LabelColor' },
  /** digiKam reads this number first, and the label only where it is missing. */
  colorNumber: { namespace: 'http://www.digikam.org/ns/1.0/', prefix: 'digiKam', name: 'ColorLabel' },
  /** Which photo of which instance the file belongs to. */
  identity: { ...proofroom, name: 'Photo' },
  /**
   * Marks of guests that a sync has written into the file, so that they are not taken for those of the photographer.
   */
  synced: { ...proofroom, name: 'Synced' },
  metadataDate: { ...xmp, name: 'MetadataDate' },
  modifyDate: { ...xmp, name: 'ModifyDate' },
  instructions: { ...photoshop, name: 'Instructions' },
} as const satisfies Record<string, XmpProperty>

export type PropertyName = keyof typeof xmpProperties

/** A list of texts. */
export const keywordsProperty: XmpProperty = {
  namespace: 'http://purl.org/dc/elements/1.1/',
  prefix: 'dc',
  name: 'subject',
}

const names = new Map(
  Object.entries(xmpProperties).map(([key, { namespace, name }]) => [`${namespace} ${name}`, key as PropertyName]),
)

/** A list of numbers. darktable reads and writes only this list. */
export const darktableColors: XmpProperty = {
  namespace: 'http://darktable.sf.net/',
  prefix: 'darktable',
  name: 'colorlabels',
}

export const findPropertyName = (namespace: string, name: string): PropertyName | undefined =>
  names.get(`${namespace} ${name}`)
