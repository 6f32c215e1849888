import { type ColorLabel, colorLabels } from '../../../contract/color-labels.ts'

/** What the service needs of a sidecar, see `sidecar` in `contract/chunked-uploads.ts`. */
export type SidecarMarks = {
  rating: number | null
  label: string | null
  label_color: ColorLabel | null
  synced: string | null
}

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const xmp = 'http://ns.adobe.com/xap/1.0/'
const photoshop = 'http://ns.adobe.com/photoshop/1.0/'
const proofroom = 'urn:proofroom:xmp/'
const maxBytes = 4 * 2 ** 20

/** Returns null for a file that is not a sidecar or has no marks. */
export async function readSidecar(file: File): Promise<SidecarMarks | null> {
  if (file.size > maxBytes) return null
  const bytes = await file.arrayBuffer().catch(() => null)
  return bytes && parseSidecar(decode(new Uint8Array(bytes)))
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  const [first, second] = bytes
  const isBigEndian = first === 0xfe && second === 0xff
  const isLittleEndian = first === 0xff && second === 0xfe
  return new TextDecoder(isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8').decode(bytes)
}

/** `DOMParser` would report each damaged file as a violation of the content security policy. */
async function parseSidecar(text: string): Promise<SidecarMarks | null> {
  const values = await readProperties(text).catch(() => null)
  if (!values) return null
  const find = (namespace: string, name: string) => values.get(`${namespace} ${name}`) || null
  const rating = Number(find(xmp, 'Rating') ?? Number.NaN)
  const label = find(xmp, 'Label')
  const color = find(photoshop, 'LabelColor')
  const synced = find(proofroom, 'Synced')
  const marks = {
    rating: rating >= -1 && rating <= 5 ? rating : null,
    label: label !== null && label.length <= 100 ? label : null,
    label_color: colorLabels.find((one) => one === color) ?? null,
  }
  if (Object.values(marks).every((mark) => mark === null)) return null
  return { ...marks, synced: synced !== null && synced.length <= 100 ? synced : null }
}

const maxDepth = 100

/** Returns the properties of the file itself by namespace and name. Rejects for text that is not well-formed. */
async function readProperties(text: string): Promise<Map<string, string>> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const values = new Map<string, string>()
  const path: string[] = []
  let content = ''
  const isInDescription = () => path.at(-1) === `${rdf} Description` && path.at(-2) === `${rdf} RDF`
  const fail = () => {
    throw new Error('The sidecar cannot be read')
  }
  parser.on('error', fail)
  parser.on('doctype', fail)
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (path.length >= maxDepth) fail()
    path.push(`${uri} ${local}`)
    content = ''
    if (!isInDescription()) return
    for (const one of Object.values(attributes)) values.set(`${one.uri} ${one.local}`, one.value.trim())
  })
  parser.on('text', (more) => {
    content += more
  })
  parser.on('closetag', () => {
    const name = path.pop()
    if (name !== undefined && isInDescription() && content.trim() !== '') values.set(name, content.trim())
    content = ''
  })
  parser.write(text).close()
  return values
}
