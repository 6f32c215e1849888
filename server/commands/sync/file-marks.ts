import { findLabelColor, type LabelNames } from '../../feedback/marks/label-names.ts'
import type { OwnMark } from '../../feedback/marks/mark-rules.ts'
import { parseSyncedMarks } from '../../feedback/marks/synced-marks.ts'
import { mergeXmp } from '../../platform/xmp/merge-xmp.ts'
import { readXmp, type XmpMarks } from '../../platform/xmp/read-xmp.ts'
import type { Marks } from './decide-marks.ts'
import type { GuestTexts } from './guest-texts.ts'

/** What a sidecar or the XMP packet of a picture says. */
export type FileMarks = {
  marks: Marks
  identity: string | null
  /** Marks of guests that a sync has written. */
  synced: OwnMark
  /** When the program that wrote it has last changed it, as it says: epoch milliseconds. */
  changedAt: number | null
}

/** Throws RejectedXmp. */
export function readFileMarks(packet: Buffer): FileMarks {
  const values = readXmp(packet)
  const { identity, changedAt } = values
  return { marks: toMarks(values), identity, synced: parseSyncedMarks(values.synced), changedAt }
}

/** Reads the label first, because that is what photo programs show. Programs write 0 for no stars. */
export function toMarks({ rating, label, labelColor }: Omit<XmpMarks, 'synced'>): Marks {
  const stars = Math.round(rating ?? 0)
  const color = (label && findLabelColor(label)) || labelColor
  return { rating: stars === -1 || (stars >= 1 && stars <= 5) ? stars : null, color: color ?? null }
}

export type MarkChange = GuestTexts & {
  write: Partial<Marks>
  labels: LabelNames
  identity: string
  /** See `formatSyncedMarks`. */
  synced: string
}

/**
 * Returns the packet with the marks, keywords and notes, or null if it has them already. All its other content stays.
 * Throws RejectedXmp.
 */
export function changePacket(before: Buffer, change: MarkChange): Buffer | null {
  const { write, labels, identity, synced, keywords, notes } = change
  const visible = {
    ...(write.rating !== undefined && { rating: write.rating ?? 0 }),
    ...(write.color !== undefined && {
      label: { text: write.color === null ? '' : labels[write.color], color: write.color },
    }),
    ...(keywords !== undefined && { keywords }),
    ...(notes !== undefined && { notes }),
  }
  if (mergeXmp(before, visible).equals(before)) return null
  return mergeXmp(before, { ...visible, identity, synced })
}

const padding = `${' '.repeat(99)}\n`.repeat(20)

const createPacket = (end: string): Buffer =>
  Buffer.from(`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"/>
 </rdf:RDF>
</x:xmpmeta>
${end}`)

export const newSidecar = createPacket('<?xpacket end="w"?>\n')
/** With padding, so that later changes do not change the length of the file. */
export const newEmbeddedPacket = createPacket(`${padding}<?xpacket end="w"?>`)
