import { sql } from 'kysely'
import type { MovePhotosBody } from '../../contract/bulk-photos.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getChangeableEvent } from '../events/get-changeable-event.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { PhotoRow } from './photo-rows.ts'
import { changeTotals } from './photo-totals.ts'
import type { BulkOutcome } from './process-in-batches.ts'

type Anchor = Pick<PhotoRow, 'id' | 'uploaded_at' | 'manual_position'>
type Move = { eventId: number; ids: readonly number[]; anchor: Anchor; place: MovePhotosBody['place'] }

/**
 * Puts photos before or after another photo in the order by hand. Throws EVENT_ARCHIVED, NOT_FOUND if the event or the
 * other photo does not exist, and VALIDATION_ERROR if the other photo is one of the moved photos.
 */
export async function movePhotos(
  { db }: AppContext,
  event: EventRow,
  { photoIds, place, photo_id: anchorId }: MovePhotosBody,
): Promise<BulkOutcome> {
  assertNotArchived(event)
  const wanted = [...new Set(photoIds)]
  if (wanted.includes(anchorId)) throw invalidField('photo_id', 'must not be one of photoIds')
  const eventId = event.id
  return inTransaction(db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    const photos = await tx
      .selectFrom('photos')
      .select(['id', 'uploaded_at', 'manual_position'])
      .where('event_id', '=', eventId)
      .where('id', 'in', [...wanted, anchorId])
      .execute()
    const anchor = photos.find(({ id }) => id === anchorId)
    if (!anchor) throw new AppError('NOT_FOUND')
    const known = new Set(photos.map(({ id }) => id))
    const done = wanted.filter((id) => known.has(id))
    if (done.length > 0) {
      await placePhotos(tx, { eventId, ids: done, anchor, place })
      await changeTotals(tx, eventId, {})
    }
    return { done, ignored: wanted.filter((id) => !known.has(id)) }
  })
}

/** Usually changes only the moved photos. */
async function placePhotos(tx: Tx, move: Move): Promise<void> {
  const { anchor, ids } = move
  if (anchor.manual_position === null) await placePhotosUpToAnchor(tx, move)
  let positions = divideGap(await findGap(tx, move), ids.length)
  if (!positions) {
    await spreadPositions(tx, move)
    positions = divideGap(await findGap(tx, move), ids.length)
  }
  if (!positions) throw new Error('The positions of an event are exhausted')
  const places = positions.map((position, index) => sql`when ${ids[index]} then cast(${position} as bigint)`)
  await tx
    .updateTable('photos')
    .set({ manual_position: sql<number>`case id ${sql.join(places, sql` `)} end` })
    .where('id', 'in', ids)
    .execute()
}

const selectOthers = (tx: Tx, { eventId, ids }: Move) =>
  tx.selectFrom('photos').where('event_id', '=', eventId).where('id', 'not in', ids)

/**
 * Photos without a place come after all others, so a photo can only be put among them if those before it have places.
 */
async function placePhotosUpToAnchor(tx: Tx, move: Move): Promise<void> {
  const { uploaded_at, id } = move.anchor
  const key = sql`(uploaded_at, id)`
  const anchorKey = sql`(${uploaded_at}, ${id})`
  const unplaced = selectOthers(tx, move)
    .where('manual_position', 'is', null)
    .where(move.place === 'after' ? sql<boolean>`${key} <= ${anchorKey}` : sql<boolean>`${key} < ${anchorKey}`)
    .select(['id', sql<number>`row_number() over (order by uploaded_at, id)`.as('number')])
  const last = (await findEdge(tx, move, 'max')) ?? 0
  await tx
    .updateTable('photos')
    .from(unplaced.as('unplaced'))
    .set({ manual_position: sql<number>`${last} + unplaced.number * ${positionGap}` })
    .whereRef('photos.id', '=', 'unplaced.id')
    .execute()
}

/** Gives all photos that have a place new places in the same order. It is needed after many moves to the same place. */
async function spreadPositions(tx: Tx, move: Move): Promise<void> {
  const placed = selectOthers(tx, move)
    .where('manual_position', 'is not', null)
    .select(['id', sql<number>`row_number() over (order by manual_position, uploaded_at, id)`.as('number')])
  await tx
    .updateTable('photos')
    .from(placed.as('placed'))
    .set({ manual_position: sql<number>`placed.number * ${positionGap}` })
    .whereRef('photos.id', '=', 'placed.id')
    .execute()
}

/** The positions of the neighbors between which the photos are put; null where there is no photo with a position. */
async function findGap(tx: Tx, move: Move): Promise<{ after: number | null; before: number | null }> {
  const { anchor, place } = move
  const current = await tx
    .selectFrom('photos')
    .select('manual_position')
    .where('id', '=', anchor.id)
    .executeTakeFirstOrThrow()
  const at = current.manual_position
  if (at === null) return { after: await findEdge(tx, move, 'max'), before: null }
  return place === 'before'
    ? { after: await findEdge(tx, move, 'max', at), before: at }
    : { after: at, before: await findEdge(tx, move, 'min', at) }
}

/** The greatest position below `limit`, or the smallest above it. */
async function findEdge(tx: Tx, move: Move, edge: 'max' | 'min', limit?: number): Promise<number | null> {
  const direction = edge === 'max' ? 'desc' : 'asc'
  const others = selectOthers(tx, move).where('manual_position', 'is not', null)
  const within = limit === undefined ? others : others.where('manual_position', edge === 'max' ? '<' : '>', limit)
  const found = await within.select('manual_position').orderBy('manual_position', direction).limit(1).executeTakeFirst()
  return found?.manual_position ?? null
}

/** The distance of photos that were placed together. At least 30 photos can be put between two of them one by one. */
const positionGap = 2 ** 32

/**
 * Returns `count` rising positions between two positions, or null if there is no room. At an end of the list (null),
 * the positions have the usual distance.
 */
function divideGap({ after, before }: { after: number | null; before: number | null }, count: number): number[] | null {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const positions = numbers.map((number) => {
    if (after !== null && before !== null) return after + Math.floor((before - after) * (number / (count + 1)))
    if (before !== null) return before - (count + 1 - number) * positionGap
    return (after ?? 0) + number * positionGap
  })
  const bounded = [after, ...positions, before].filter((position) => position !== null)
  const isRising = bounded.every((position, index) => index === 0 || position > (bounded[index - 1] ?? 0))
  return isRising && positions.every(Number.isSafeInteger) ? positions : null
}
