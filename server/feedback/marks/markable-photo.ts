import type { CompiledQuery } from 'kysely'
import { presentEvents } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { compileOnce } from '../../platform/database/compile-once.ts'
import type { Flag, Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { MarkedPhoto } from './feedback-rows.ts'

type PhotoOfEvent = MarkedPhoto & { is_archived: Flag }

/**
 * Decides whether feedback of an event may change, in the transaction of the change. Everything that gives, changes or
 * merges feedback takes one. Its functions throw the error that the caller gets.
 */
export type MarkGuard = {
  /** The query whose row `assertPhoto` gets. */
  selectPhoto: (tx: Tx, photoId: number) => CompiledQuery<PhotoOfEvent>
  assertPhoto: (photo: PhotoOfEvent | undefined) => MarkedPhoto
  /** For changes that are not of one photo. */
  assertEvent: (tx: Tx) => Promise<unknown>
}

export async function getMarkedPhoto(tx: Tx, guard: MarkGuard, photoId: number): Promise<MarkedPhoto> {
  const { rows } = await tx.executeQuery(guard.selectPhoto(tx, photoId))
  return guard.assertPhoto(rows[0])
}

const selectMarkablePhoto = (tx: Tx, eventId: number, photoId: number): CompiledQuery<PhotoOfEvent> =>
  compileOnce(tx, 'markable photo', { photoId, eventId }, (values) =>
    tx
      .selectFrom('photos')
      .innerJoin(presentEvents(tx), 'events.id', 'photos.event_id')
      .select(['photos.id', 'photos.event_id', 'photos.uploaded_at', 'events.is_archived'])
      .where('photos.id', '=', values.photoId)
      .where('photos.event_id', '=', values.eventId),
  )

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
function assertMarkable(photo: PhotoOfEvent | undefined): MarkedPhoto {
  if (!photo) throw new AppError('NOT_FOUND')
  assertNotArchived(photo)
  return photo
}

/** Its functions throw NOT_FOUND and EVENT_ARCHIVED. */
export const createMarkGuard = (eventId: number): MarkGuard => ({
  selectPhoto: (tx, photoId) => selectMarkablePhoto(tx, eventId, photoId),
  assertPhoto: assertMarkable,
  assertEvent: (tx) => getChangeableEvent(tx, eventId),
})

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
export async function getMarkablePhoto(tx: Tx, eventId: number, photoId: number): Promise<MarkedPhoto> {
  return getMarkedPhoto(tx, createMarkGuard(eventId), photoId)
}
