import type { SelectionDetails, SelectionPeople, SelectionSnapshot } from '../../../contract/gallery/rounds.ts'
import { must } from '../../../contract/must.ts'
import { findGuest, guestRecord } from '../../events/guests/guest-rows.ts'
import type { Database } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { findSelection, type SelectionRow } from '../selection-rows.ts'

/** What was agreed in a round. */
export type AgreedSelection = {
  /** Null for an erased guest. */
  guestId: string | null
  number: number
  snapshot: SelectionSnapshot
  /** Null for an erased guest. */
  people: SelectionPeople | null
  contentSha256: string
}

/** Throws NOT_FOUND. */
export async function getSelection(db: Database, eventId: number, id: number): Promise<SelectionRow> {
  const selection = await findSelection(db, id)
  if (selection?.event_id !== eventId) throw new AppError('NOT_FOUND')
  return selection
}

/** `hasPrivate`: with notes, pins and boxes. Throws NOT_FOUND for a selection without a round. */
export function readAgreed(row: SelectionRow | undefined, hasPrivate: boolean): AgreedSelection {
  if (!row?.snapshot) throw new AppError('NOT_FOUND')
  return {
    guestId: row.guest_id,
    number: row.number,
    snapshot: JSON.parse(row.snapshot),
    people: readPeople(row, hasPrivate),
    contentSha256: must(row.content_sha256, 'the hash of a snapshot'),
  }
}

/** Returns null for a selection without a round or of another event. */
export async function findAgreed(db: Database, eventId: number, id: number): Promise<AgreedSelection | null> {
  const selection = await findSelection(db, id)
  return selection?.event_id === eventId && selection.snapshot ? readAgreed(selection, false) : null
}

/**
 * Returns whether the file of a photo is the one that was submitted. Searches the canonical text, because a page asks for many
 * pictures, and parsing a large snapshot takes long. A file name cannot imitate it: its quotes are escaped.
 */
export const isAgreedFile = ({ snapshot }: SelectionRow, { id, content_hash }: { id: number; content_hash: string }) =>
  snapshot?.includes(`"content_hash":${JSON.stringify(content_hash)},"id":${id},`) === true

export async function describeSelection(
  db: Database,
  row: SelectionRow,
  hasPrivate: boolean,
): Promise<SelectionDetails> {
  const { id, event_id, guest_id, number, round_number: round, created_at, content_sha256, snapshot } = row
  const guest = guest_id === null ? null : await findGuest(db, event_id, guest_id)
  return {
    ...{ id, event_id, number, round, content_sha256 },
    guest: guest_id === null ? null : guestRecord(guest ?? { id: guest_id, name: null, email: null }),
    created_at: isoTime(created_at),
    snapshot: snapshot === null ? null : JSON.parse(snapshot),
    people: readPeople(row, hasPrivate),
  }
}

function readPeople({ people: stored }: SelectionRow, hasPrivate: boolean): SelectionPeople | null {
  if (stored === null) return null
  const people: SelectionPeople = JSON.parse(stored)
  if (hasPrivate) return people
  return { ...people, comments: people.comments.filter(({ kind }) => kind === 'comment') }
}
