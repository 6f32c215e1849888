import { type CompiledQuery, sql } from 'kysely'
import { type EventRow, presentEvents } from '../events/event-rows.ts'
import { isVisibleToGuests } from '../events/visible-photos.ts'
import { compileOnce } from '../platform/database/compile-once.ts'
import type { Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PhotoRow } from './photo-rows.ts'

/**
 * Counts a new photo in the totals of the event, if the event is present. Pass the count of the row to `assertReserved`.
 */
export function reservePhoto(
  tx: Tx,
  eventId: number,
  { bytes, isVisible, now }: { bytes: number; isVisible: boolean; now: number },
): CompiledQuery<{ photo_count: number }> {
  const values = { eventId, visible: isVisible ? 1 : 0, bytes, now }
  return compileOnce(tx, 'reserve a photo', values, ({ eventId, visible, bytes, now }) =>
    tx
      .insertInto('event_photo_totals')
      .columns(['event_id', 'photo_count', 'visible_count', 'total_size', 'list_version'])
      .expression((from) =>
        from
          .selectFrom(presentEvents(tx))
          .select(({ ref, lit, cast, val }) => [
            ref('id').as('event_id'),
            lit(1).as('photo_count'),
            cast<number>(val(visible), 'integer').as('visible_count'),
            cast<number>(val(bytes), 'bigint').as('total_size'),
            cast<number>(val(now), 'bigint').as('list_version'),
          ])
          .where('id', '=', eventId),
      )
      .onConflict((conflict) => conflict.column('event_id').doUpdateSet(incrementTotals({ photos: 1, visible, bytes })))
      .returning('photo_count'),
  )
}

/**
 * Simultaneous uploads cannot exceed `photo_cap`, because `reservePhoto` locks the row until the transaction ends.
 * Throws PHOTO_CAP_REACHED.
 */
export function assertReserved({ photo_cap: cap }: EventRow, photoCount: number): void {
  if (cap > 0 && photoCount > cap) throw new AppError('PHOTO_CAP_REACHED')
}

/** Throws PHOTO_CAP_REACHED if the event cannot have this many more photos. Call it with the lock of the event. */
export async function assertCapAllows(tx: Tx, event: EventRow, added: number): Promise<void> {
  if (event.photo_cap === 0) return
  const totals = await tx
    .selectFrom('event_photo_totals')
    .select('photo_count')
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if ((totals?.photo_count ?? 0) + added > event.photo_cap) throw new AppError('PHOTO_CAP_REACHED')
}

type CountedColumns = Pick<PhotoRow, 'media_type' | 'size_bytes' | 'still_size_bytes'>

/** Returns what a photo adds to the size of its event: its original, and the still of an image, which guests download. */
export const countBytes = ({ media_type, size_bytes, still_size_bytes }: CountedColumns): number =>
  size_bytes + (media_type === 'image' ? (still_size_bytes ?? 0) : 0)

/** The sum of `countBytes` in a query of photos; 0 without photos. */
export const sumOfBytes = sql<number>`coalesce(
  sum(size_bytes + case when media_type = 'image' then coalesce(still_size_bytes, 0) else 0 end), 0)`

/** Returns the totals that photos add to their event, or with a sign of -1 the totals that they take away. */
export const sumTotals = (photos: readonly PhotoRow[], sign: 1 | -1 = 1) => ({
  photos: sign * photos.length,
  visible: sign * photos.filter(isVisibleToGuests).length,
  bytes: sign * photos.reduce((sum, photo) => sum + countBytes(photo), 0),
})

/** Adds photos to the totals of an event that may have none yet. */
export async function addTotals(tx: Tx, eventId: number, photos: readonly PhotoRow[], now: number): Promise<void> {
  await tx
    .insertInto('event_photo_totals')
    .values({ event_id: eventId, photo_count: 0, visible_count: 0, total_size: 0, list_version: now })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute()
  await changeTotals(tx, eventId, sumTotals(photos))
}

type TotalsChange = { photos?: number; visible?: number; bytes?: number }

/** Must be called in each transaction that changes photos, also with an empty change: it increments `list_version`. */
export async function changeTotals(tx: Tx, eventId: number, change: TotalsChange): Promise<void> {
  await tx.updateTable('event_photo_totals').set(incrementTotals(change)).where('event_id', '=', eventId).execute()
}

const incrementTotals = ({ photos = 0, visible = 0, bytes = 0 }: TotalsChange) => ({
  photo_count: sql<number>`event_photo_totals.photo_count + ${photos}`,
  visible_count: sql<number>`event_photo_totals.visible_count + ${visible}`,
  total_size: sql<number>`event_photo_totals.total_size + ${bytes}`,
  list_version: sql<number>`event_photo_totals.list_version + 1`,
})
