import { AppError, invalidField } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { recountMarks } from './count-marks.ts'
import { deleteFeedbackChange, recordFeedbackChange } from './feedback-change-rows.ts'
import { findGuest, type GuestRow, nameGuest } from './guest-rows.ts'
import { recordLiveEvent } from './live-event-rows.ts'
import type { FeedbackTable } from './mark-rows.ts'
import { moveNotes } from './note-rows.ts'

const photosPerBatch = 200

type GuestMerge = { eventId: number; from: string; into: string }

/**
 * Feedback, selections, notes, sessions and links of `from` become those of `into`. If both have given a photo the same kind
 * of feedback, the newer one stays; all comments stay. `assertEvent` throws if the event may not change. Throws
 * NOT_FOUND for unknown or merged guests, and VALIDATION_ERROR for equal ids.
 */
export async function mergeGuests(
  { db, clock, changes }: PlatformContext,
  merge: GuestMerge,
  assertEvent: (tx: Tx) => Promise<unknown>,
): Promise<GuestRow> {
  const { eventId, from, into } = merge
  if (from === into) throw invalidField('into', 'must be another guest')
  const merged = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const now = clock.now()
    await assertEvent(tx)
    const other = await getOrCreateGuest(tx, eventId, from, now)
    await getOrCreateGuest(tx, eventId, into, now)
    await tx.updateTable('guests').set({ merged_into: into }).where('merged_into', '=', from).execute()
    await tx.updateTable('guests').set({ merged_into: into }).where('id', '=', from).execute()
    await moveSelections(tx, merge)
    await moveNotes(tx, merge)
    await moveFeedback(tx, 'trashed_feedback', merge)
    if (await moveFeedback(tx, 'feedback', merge)) await recordFeedbackChange(tx, eventId, into, now)
    // Webhooks receive the moved feedback as a change of `into`, because `from` no longer exists for them.
    await deleteFeedbackChange(tx, eventId, from)
    await recordLiveEvent(tx, { event_id: eventId, type: 'guest', guest_id: into, data: { did: 'merged' } }, now)
    return fillMissingContact(tx, eventId, into, other)
  })
  changes.notify('guest', eventId)
  changes.notify('live', eventId)
  return merged
}

/** Throws NOT_FOUND for an unknown, merged or erased guest. */
export async function getOrCreateGuest(tx: Tx, eventId: number, guestId: string, now: number): Promise<GuestRow> {
  const known = await findGuest(tx, eventId, guestId)
  if (known?.merged_into || known?.erased_at) throw new AppError('NOT_FOUND')
  if (known) return known
  if (!(await hasGuestRows(tx, eventId, guestId))) throw new AppError('NOT_FOUND')
  return nameGuest(tx, { eventId, guestId, name: null, email: null, now })
}

/** Returns whether a guest has given or submitted anything. */
export async function hasGuestRows(tx: Tx, eventId: number, guestId: string): Promise<boolean> {
  for (const table of ['feedback', 'trashed_feedback', 'selections', 'guest_notes'] as const) {
    const found = await tx
      .selectFrom(table)
      .select('id')
      .where('event_id', '=', eventId)
      .where('guest_id', '=', guestId)
      .limit(1)
      .executeTakeFirst()
    if (found) return true
  }
  return false
}

async function fillMissingContact(tx: Tx, eventId: number, into: string, other: GuestRow): Promise<GuestRow> {
  return tx
    .updateTable('guests')
    .set(({ fn, val, ref }) => ({
      name: fn.coalesce(ref('name'), val(other.name)),
      email: fn.coalesce(ref('email'), val(other.email)),
    }))
    .where('id', '=', into)
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The moved selections get the numbers after those of `into`. */
async function moveSelections(tx: Tx, { eventId, from, into }: GuestMerge): Promise<void> {
  const selectionsOf = (guestId: string) =>
    tx
      .selectFrom('selections')
      .select(['id', 'number'])
      .where('event_id', '=', eventId)
      .where('guest_id', '=', guestId)
      .orderBy('number')
      .execute()
  let number = (await selectionsOf(into)).at(-1)?.number ?? 0
  for (const { id } of await selectionsOf(from)) {
    number++
    await tx.updateTable('selections').set({ guest_id: into, number }).where('id', '=', id).execute()
  }
}

type FeedbackTables = 'feedback' | 'trashed_feedback'

/** Moves batches until nothing is left. Returns false if there was nothing to move. */
async function moveFeedback(tx: Tx, table: FeedbackTables, merge: GuestMerge): Promise<boolean> {
  for (let isMoved = false; ; isMoved = true) {
    const photos = await tx
      .selectFrom(table)
      .select('photo_id')
      .distinct()
      .where('event_id', '=', merge.eventId)
      .where('guest_id', '=', merge.from)
      .orderBy('photo_id')
      .limit(photosPerBatch)
      .execute()
    if (photos.length === 0) return isMoved
    const photoIds = photos.map(({ photo_id }) => photo_id)
    await moveFeedbackOfPhotos(tx, table, merge, photoIds)
  }
}

async function moveFeedbackOfPhotos(
  tx: Tx,
  table: FeedbackTables,
  { eventId, from, into }: GuestMerge,
  photoIds: number[],
): Promise<void> {
  // Locks the counters, so that no guest marks these photos at the same time.
  await tx.updateTable('photo_marks').set({ event_id: eventId }).where('photo_id', 'in', photoIds).execute()
  const mergedMarks = await tx
    .selectFrom(table)
    .select(['id', 'photo_id', 'guest_id', 'kind', 'updated_at'])
    .where('photo_id', 'in', photoIds)
    .where('guest_id', 'in', [from, into])
    .execute()
  const replaced = findReplacedIds(mergedMarks, into)
  if (replaced.length > 0) await tx.deleteFrom(table).where('id', 'in', replaced).execute()
  await tx
    .updateTable(table)
    .set({ guest_id: into })
    .where('photo_id', 'in', photoIds)
    .where('guest_id', '=', from)
    .execute()
  // Photos in the trash have no counters.
  if (table === 'trashed_feedback') return
  // The counters of a photo change only if both guests have given it feedback.
  const marksOfBoth = mergedMarks.filter(({ guest_id }) => guest_id === into)
  for (const photoId of new Set(marksOfBoth.map(({ photo_id }) => photo_id))) await recountMarks(tx, photoId)
}

type MergedMark = Pick<FeedbackTable, 'photo_id' | 'guest_id' | 'kind' | 'updated_at'> & { id: number }

/** Returns the ids of the older marks, to be deleted. At equal times, the mark of the guest who stays is preferred. */
function findReplacedIds(mergedMarks: MergedMark[], into: string): number[] {
  const newestByKey = new Map<string, MergedMark>()
  const replaced: number[] = []
  for (const mark of mergedMarks.filter(({ kind }) => kind !== 'comment')) {
    const key = `${mark.photo_id} ${mark.kind}`
    const other = newestByKey.get(key)
    const isNewer = other && (mark.updated_at - other.updated_at || (mark.guest_id === into ? 1 : -1)) > 0
    if (other) replaced.push(isNewer ? other.id : mark.id)
    if (!other || isNewer) newestByKey.set(key, mark)
  }
  return replaced
}
