import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sql } from 'kysely'
import type { ColorNames } from '../../../contract/color-labels.ts'
import type { SelectionPeople, SelectionSnapshot } from '../../../contract/gallery/rounds.ts'
import { must } from '../../../contract/must.ts'
import type { EventRow } from '../../events/event-rows.ts'
import type { Letterhead } from '../../events/mail/write-letter.ts'
import { currentVersion } from '../../events/photo-version.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { PackageRow } from './package-rows.ts'
import type { RoundRow } from './round-rows.ts'
import { countExtras } from './round-rules.ts'

type Marks = Pick<SelectionSnapshot['photos'][number], 'rating' | 'color_label' | 'is_liked'>

type Submitted = {
  event: EventRow
  /** The studio and the language of the instance. */
  head: Pick<Letterhead, 'studioName' | 'language'>
  colorNames: ColorNames
  round: RoundRow
  terms: PackageRow
  guestName: string | null
  note: string | null
  photoIds: readonly number[]
  now: number
}

/** The columns of a selection that say what was agreed. */
export type SnapshotColumns = {
  round_id: number
  round_number: number
  /** A `SelectionSnapshot` in the form of RFC 8785. */
  snapshot: string
  /** A `SelectionPeople` as JSON. */
  people: string
  content_sha256: string
}

/** Limits the SQL parameters of one query. */
const idsPerQuery = 500

/** Describes the picks of a guest as they are in the transaction. */
export async function createSnapshot(
  tx: Tx,
  { event, head, colorNames, round, terms, guestName, note, photoIds, now }: Submitted,
): Promise<SnapshotColumns> {
  const { event_id, guest_id } = round
  const marks = await loadMarks(tx, event_id, guest_id)
  const files = await loadFiles(tx, photoIds)
  const picked = new Set(photoIds)
  const { included, minimum, maximum, due_on } = round
  const snapshot = toCanonicalJson({
    event_id,
    event_name: event.event_name,
    studio_name: head.studioName,
    language: event.language ?? head.language,
    round: round.number,
    submitted_at: isoTime(now),
    purpose: terms.purpose,
    ...{ included, minimum, maximum, due_on },
    extra_text: terms.extra_text,
    extra_count: countExtras(photoIds.length, round),
    time_zone: terms.time_zone,
    ...(Object.keys(colorNames).length > 0 && { color_names: colorNames }),
    photos: photoIds.map((id) => ({
      id,
      ...must(files.get(id), 'a picked photo'),
      ...(marks.get(id) ?? noMarks),
    })),
    other_marks: [...marks].filter(([id]) => !picked.has(id)).map(([photo_id, given]) => ({ photo_id, ...given })),
  })
  const people: SelectionPeople = {
    guest_name: guestName,
    note,
    comments: (await loadTexts(tx, event_id, guest_id)).filter(({ photo_id }) => picked.has(photo_id)),
  }
  return {
    round_id: round.id,
    round_number: round.number,
    snapshot,
    people: JSON.stringify(people),
    content_sha256: createHash('sha256').update(snapshot).digest('hex'),
  }
}

const toCanonicalJson = (snapshot: SelectionSnapshot): string => must(canonicalize(snapshot), 'a snapshot')

const noMarks: Marks = { rating: null, color_label: null, is_liked: false }

/** Returns the marks by photo id, without favorites. Photos without marks are absent. */
async function loadMarks(tx: Tx, eventId: number, guestId: string): Promise<Map<number, Marks>> {
  const rows = await tx
    .selectFrom('feedback')
    .select(['photo_id', 'kind', 'rating', 'color_label'])
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .where('kind', 'in', ['rating', 'color_label', 'like'])
    .orderBy('photo_id')
    .execute()
  const marks = new Map<number, Marks>()
  for (const { photo_id, kind, rating, color_label } of rows) {
    const given = marks.get(photo_id) ?? noMarks
    marks.set(photo_id, {
      rating: rating ?? given.rating,
      color_label: color_label ?? given.color_label,
      is_liked: given.is_liked || kind === 'like',
    })
  }
  return marks
}

async function loadFiles(tx: Tx, photoIds: readonly number[]) {
  const files = new Map<number, { source_filename: string; content_hash: string; version: number }>()
  for (let start = 0; start < photoIds.length; start += idsPerQuery) {
    const rows = await tx
      .selectFrom('photos')
      .select(['id', 'source_filename', 'content_hash', currentVersion(sql`photos.id`).as('version')])
      .where('id', 'in', photoIds.slice(start, start + idsPerQuery))
      .execute()
    for (const { id, ...file } of rows) files.set(id, { ...file, version: Number(file.version) })
  }
  return files
}

/** Returns what the guest wrote about photos: comments, notes, pins and boxes, in the order in which they were written. */
async function loadTexts(tx: Tx, eventId: number, guestId: string) {
  const rows = await tx
    .selectFrom('threads')
    .leftJoin('feedback', 'feedback.id', 'threads.feedback_id')
    .select(({ fn }) => [
      'threads.photo_id',
      'threads.kind',
      fn.coalesce('threads.text', 'feedback.comment_text').as('text'),
    ])
    .where('threads.event_id', '=', eventId)
    .where('threads.guest_id', '=', guestId)
    .where('threads.photo_id', 'is not', null)
    .orderBy('threads.id')
    .execute()
  return rows.flatMap(({ photo_id, kind, text }) =>
    photo_id === null || text === null ? [] : [{ photo_id, kind, text }],
  )
}
