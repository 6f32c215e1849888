import type { CompiledQuery } from 'kysely'
import { presentEvents } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { compileOnce } from '../../platform/database/compile-once.ts'
import type { Flag, Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { GuestMerge, MarkChange, Registries } from '../../settings/belongings.ts'
import type { MarkedPhoto } from './feedback-rows.ts'

type GuardedPhoto = MarkedPhoto & { has_package: Flag }
type PhotoOfEvent = GuardedPhoto & { is_archived: Flag }

/**
 * Decides whether feedback of an event may change, in the transaction of the change. Everything that gives, changes or
 * merges feedback takes one. Its functions throw the error that the caller gets.
 */
export type MarkGuard = {
  /** The query whose row `assertPhoto` gets. */
  selectPhoto: (tx: Tx, photoId: number) => CompiledQuery<PhotoOfEvent>
  assertPhoto: (photo: PhotoOfEvent | undefined) => GuardedPhoto
  /** Called before marks of a guest change. Comments are not marks. */
  assertChange: (tx: Tx, photo: GuardedPhoto, change: Omit<MarkChange, 'eventId'>) => Promise<void>
  assertMerge: (tx: Tx, merge: GuestMerge) => Promise<void>
}

type PhotoGuard = Pick<MarkGuard, 'selectPhoto' | 'assertPhoto'>

export async function getMarkedPhoto(tx: Tx, guard: PhotoGuard, photoId: number): Promise<GuardedPhoto> {
  const { rows } = await tx.executeQuery(guard.selectPhoto(tx, photoId))
  return guard.assertPhoto(rows[0])
}

const selectMarkablePhoto = (tx: Tx, eventId: number, photoId: number): CompiledQuery<PhotoOfEvent> =>
  compileOnce(tx, 'markable photo', { photoId, eventId }, (values) =>
    tx
      .selectFrom('photos')
      .innerJoin(presentEvents(tx), 'events.id', 'photos.event_id')
      .select(['photos.id', 'photos.event_id', 'photos.uploaded_at', 'events.is_archived', 'events.has_package'])
      .where('photos.id', '=', values.photoId)
      .where('photos.event_id', '=', values.eventId),
  )

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
function assertMarkable(photo: PhotoOfEvent | undefined): GuardedPhoto {
  if (!photo) throw new AppError('NOT_FOUND')
  assertNotArchived(photo)
  return photo
}

const photoGuard = (eventId: number): PhotoGuard => ({
  selectPhoto: (tx, photoId) => selectMarkablePhoto(tx, eventId, photoId),
  assertPhoto: assertMarkable,
})

/** Its functions throw NOT_FOUND, EVENT_ARCHIVED, and the errors of `markLock`. */
export const createMarkGuard = ({ markLock }: Pick<Registries, 'markLock'>, eventId: number): MarkGuard => ({
  ...photoGuard(eventId),
  async assertChange(tx, { has_package }, change) {
    if (has_package === 1) await markLock.assertChange(tx, { eventId, ...change })
  },
  async assertMerge(tx, merge) {
    const { has_package } = await getChangeableEvent(tx, eventId)
    if (has_package === 1) await markLock.assertMerge(tx, merge)
  },
})

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
export async function getMarkablePhoto(tx: Tx, eventId: number, photoId: number): Promise<MarkedPhoto> {
  return getMarkedPhoto(tx, photoGuard(eventId), photoId)
}
