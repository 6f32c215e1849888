/**
 * `size`: too large. `encoding`: not UTF-8 or UTF-16, or another encoding is declared. `malformed`: not well-formed XML.
 * `doctype`: a document type, which can declare entities. `packet`: an xpacket of an unknown form. `structure`: not the
 * RDF that XMP prescribes. `contradiction`: a property is there twice, with different values.
 */
export const xmpRejections = [
  'size',
  'encoding',
  'malformed',
  'doctype',
  'packet',
  'structure',
  'contradiction',
] as const
export type XmpRejection = (typeof xmpRejections)[number]

/** An XMP file that cannot be edited without a risk for the rest of its content. */
export class RejectedXmp extends Error {
  readonly rejection: XmpRejection
  constructor(rejection: XmpRejection, message: string) {
    super(message)
    this.rejection = rejection
  }
}

export const wrongStructure = () =>
  new RejectedXmp('structure', 'The file does not have the structure that XMP prescribes.')
