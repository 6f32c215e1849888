import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { createArchiveNames } from '../archives/archive-names.ts'
import { planArchive } from '../archives/plan-archive.ts'
import { readArchive } from '../archives/read-archive.ts'
import type { ArchiveEntry } from '../archives/zip-format.ts'
import type { LabelNames } from '../feedback/marks/label-names.ts'
import { html } from '../platform/html/html.ts'
import { createBytesReader } from '../platform/storage/byte-readers.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
import type { XmpChange } from '../platform/xmp/merge-xmp.ts'
import { escapeText } from '../platform/xmp/xmp-escape.ts'
import { renderNotes } from '../platform/xmp/xmp-notes.ts'
import { xmpProperties } from '../platform/xmp/xmp-properties.ts'
import type { ExportedMarks } from './exported-marks.ts'

export type FileNaming = { isFull: boolean; rawExtension: string | null }

/**
 * For `IMG_1234.JPG`, returns `IMG_1234`. If `isFull`, returns `IMG_1234.JPG`, or `IMG_1234.CR3` for the `rawExtension`
 * `CR3`.
 */
export function formatFileName(sourceFilename: string, { isFull, rawExtension }: FileNaming): string {
  const [extension = ''] = /(?<=.)\.[^.\s]{1,16}$/u.exec(sourceFilename) ?? []
  const stem = sourceFilename.slice(0, sourceFilename.length - extension.length)
  if (!isFull) return stem
  return rawExtension === null ? sourceFilename : `${stem}.${rawExtension}`
}

export type Sidecars = { sizeBytes: number; etag: string; open: (range?: ByteRange) => ByteReader }

export type SidecarFile = {
  name: string
  sizeBytes: number
  crc32: number
  open: (part: ByteRange) => Promise<ByteReader>
}

/** `instructions`: the words of open threads, by photo id. */
export type SidecarOptions = { naming: FileNaming; labels: LabelNames; instructions: ReadonlyMap<number, string> }

/** Returns a ZIP of the files. Equal names get a number. */
export function createSidecarArchive(files: readonly SidecarFile[], modifiedAt: number): Sidecars {
  const names = createArchiveNames(files.map(({ name }) => name))
  const entries = files.map((file, index) => ({ ...file, name: names[index] ?? file.name, modifiedAt }))
  const plan = planArchive<ArchiveEntry & Pick<SidecarFile, 'open'>>(entries)
  const hash = createHash('sha256')
  for (const { name, crc32, sizeBytes } of entries) hash.update(JSON.stringify([name, crc32, sizeBytes, modifiedAt]))
  return {
    sizeBytes: plan.sizeBytes,
    etag: hash.digest('hex'),
    open: (range = { start: 0, end: plan.sizeBytes - 1 }) => readArchive(plan, range, ({ open }, part) => open(part)),
  }
}

/**
 * Returns a new sidecar for each photo that has a rating, a label or instructions. A missing rating or label is not
 * written, so that the value of the photographer stays. If the earlier export (`before`) had the missing value, a rating
 * of 0 or an empty label is written.
 */
export function createSidecarFiles(
  photos: readonly ExportedMarks[],
  { naming, ...options }: SidecarOptions,
): SidecarFile[] {
  const bodies = new Map<string, Omit<SidecarFile, 'name'>>()
  return photos.flatMap((photo) => {
    const attributes = renderAttributes(toXmpChange(photo, options))
    if (attributes === '') return []
    // Photos with equal marks share the bytes.
    const body = bodies.get(attributes) ?? toBody(renderSidecar(attributes))
    bodies.set(attributes, body)
    return [{ name: `${formatFileName(photo.sourceFilename, naming)}.xmp`, ...body }]
  })
}

export function toBody(text: string): Omit<SidecarFile, 'name'> {
  const bytes = Buffer.from(text)
  const open = async (part: ByteRange) => createBytesReader(bytes, part)
  return { sizeBytes: bytes.length, crc32: crc32(bytes), open }
}

/** Returns what an export changes in the sidecar of a photo. */
export function toXmpChange(
  { photoId, rating, colorLabel, before }: ExportedMarks,
  { labels, instructions }: Pick<SidecarOptions, 'labels' | 'instructions'>,
): Pick<XmpChange, 'rating' | 'label' | 'notes'> {
  const [ratingBefore, labelBefore] = before ?? []
  const stars = rating ?? (ratingBefore ? 0 : null)
  const text = colorLabel ? labels[colorLabel] : labelBefore ? '' : null
  return {
    ...(stars !== null && { rating: stars }),
    ...(text !== null && { label: { text, color: colorLabel } }),
    notes: instructions.get(photoId) ?? '',
  }
}

const renderAttributes = ({ rating, label, notes = '' }: XmpChange): string =>
  html`${rating !== undefined && html` xmp:Rating="${rating}"`}${label !== undefined && html` xmp:Label="${label.text}"`}`
    .text + renderInstructions(notes)

function renderInstructions(notes: string): string {
  const { prefix, namespace, name } = xmpProperties.instructions
  return notes === '' ? '' : ` xmlns:${prefix}="${namespace}" ${prefix}:${name}="${escapeText(renderNotes(notes))}"`
}

const renderSidecar = (attributes: string): string => `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"${attributes}/>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`
