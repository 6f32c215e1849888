import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type ColorLabel, colorLabels } from '../../contract/marks.ts'
import { must } from '../../contract/must.ts'
import { createArchiveNames } from '../archives/archive-names.ts'
import { planArchive } from '../archives/plan-archive.ts'
import { readArchive } from '../archives/read-archive.ts'
import type { ArchiveEntry } from '../archives/zip-format.ts'
import { html } from '../platform/html/html.ts'
import { createBytesReader } from '../platform/storage/byte-readers.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
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

export type LabelNames = Readonly<Record<ColorLabel, string>>

/** The texts that `xmp:Label` has in Lightroom (`en`, `de`) and in Bridge. */
export const labelNames = {
  en: { red: 'Red', yellow: 'Yellow', green: 'Green', blue: 'Blue', purple: 'Purple' },
  de: { red: 'Rot', yellow: 'Gelb', green: 'Grün', blue: 'Blau', purple: 'Lila' },
  bridge: { red: 'Select', yellow: 'Second', green: 'Approved', blue: 'Review', purple: 'To Do' },
} as const satisfies Record<string, LabelNames>

export type Sidecars = { sizeBytes: number; etag: string; open: (range?: ByteRange) => ByteReader }

/**
 * A missing rating or label is not written, so that the value of the photographer stays. If the earlier export
 * (`before`) had the missing value, a rating of 0 or an empty label is written.
 */
export function createXmpSidecars(
  photos: readonly ExportedMarks[],
  { naming, labels, modifiedAt }: { naming: FileNaming; labels: LabelNames; modifiedAt: number },
): Sidecars {
  const photosWithAttributes = photos.map((photo) => ({ ...photo, attributes: renderAttributes(photo, labels) }))
  const sidecarPhotos = photosWithAttributes.filter(({ attributes }) => attributes !== '')
  const names = createArchiveNames(
    sidecarPhotos.map(({ sourceFilename }) => `${formatFileName(sourceFilename, naming)}.xmp`),
  )
  const bodies = new Map<string, { bytes: Buffer; crc32: number }>()
  const entries = sidecarPhotos.map(({ attributes }, index) => {
    // Photos with equal marks share the bytes.
    const body = bodies.get(attributes) ?? withCrc32(Buffer.from(renderSidecar(attributes)))
    bodies.set(attributes, body)
    const name = must(names[index], 'a name in the archive')
    return { name, sizeBytes: body.bytes.length, crc32: body.crc32, modifiedAt, body: body.bytes }
  })
  const plan = planArchive<ArchiveEntry & { body: Buffer }>(entries)
  const hash = createHash('sha256')
  for (const { name, crc32, sizeBytes } of entries) hash.update(JSON.stringify([name, crc32, sizeBytes, modifiedAt]))
  return {
    sizeBytes: plan.sizeBytes,
    etag: hash.digest('hex'),
    open: (range = { start: 0, end: plan.sizeBytes - 1 }) =>
      readArchive(plan, range, async ({ body }, part) => createBytesReader(body, part)),
  }
}

/**
 * Parses a name for each color, separated by commas, in the order of `colorLabels`. Returns null for any other text.
 */
export function parseLabelNames(text: string): LabelNames | null {
  const names = text.split(',').map((name) => name.trim())
  if (names.length !== colorLabels.length || names.some((name) => name === '')) return null
  return Object.fromEntries(colorLabels.map((color, index) => [color, names[index]])) as Record<ColorLabel, string>
}

const withCrc32 = (bytes: Buffer) => ({ bytes, crc32: crc32(bytes) })

function renderAttributes({ rating, colorLabel, before }: ExportedMarks, labels: LabelNames): string {
  const [ratingBefore, labelBefore] = before ?? []
  const stars = rating ?? (ratingBefore ? 0 : null)
  const label = colorLabel ? labels[colorLabel] : labelBefore ? '' : null
  return html`${stars !== null && html` xmp:Rating="${stars}"`}${label !== null && html` xmp:Label="${label}"`}`.text
}

const renderSidecar = (attributes: string): string => `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"${attributes}/>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`
