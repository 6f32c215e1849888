import type { Insertable } from 'kysely'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { CategoryTable } from './categories/categories.ts'
import type { EventTypeTable } from './categories/event-types.ts'
import type { EventTable } from './event-rows.ts'

type NewMovedEvent = Omit<Insertable<EventTable>, 'id' | 'upload_category_id' | 'cover_photo_id'> & { id: number }

/** Also counts events in the trash. */
export const hasAnyEvent = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('events').select('id').limit(1).execute()).length > 0

/** Also finds an event in the trash. */
export const isEventIdTaken = async (db: Database, id: number): Promise<boolean> =>
  (await db.selectFrom('events').select('id').where('id', '=', id).execute()).length > 0

/** Ids of a category and of a photo of the event, or null. */
type EventReferences = { uploadCategoryId: number | null; coverPhotoId: number | null }

/**
 * Creates an event of another installation. Nobody is notified. Returns its slug, which has a number at its end if it was
 * taken.
 */
export async function insertMovedEvent(tx: Tx, event: NewMovedEvent): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const slug = attempt === 0 ? event.slug : `${event.slug}-${attempt}`
    const inserted = await tx
      .insertInto('events')
      .values({ ...event, slug, upload_category_id: null, cover_photo_id: null })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('slug')
      .executeTakeFirst()
    if (inserted) return slug
  }
}

export async function setMovedReferences(
  tx: Tx,
  eventId: number,
  { uploadCategoryId, coverPhotoId }: EventReferences,
): Promise<void> {
  await tx
    .updateTable('events')
    .set({
      upload_category_id: uploadCategoryId,
      cover_photo_id: coverPhotoId,
      // Guests can upload only into a category.
      ...(uploadCategoryId === null && { allow_user_uploads: 0 as const }),
    })
    .where('id', '=', eventId)
    .execute()
}

/** Returns the ids of the global categories and of those of the event. */
export async function findCategoryIds(tx: Tx, eventId: number): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('categories')
    .select('id')
    .where((where) => where.or([where('event_id', 'is', null), where('event_id', '=', eventId)]))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Keeps `keptId` if it is given and free. Returns the id. */
export async function insertMovedCategory(
  tx: Tx,
  category: Omit<Insertable<CategoryTable>, 'id'>,
  keptId: number | null,
): Promise<number> {
  const taken =
    keptId !== null && (await tx.selectFrom('categories').select('id').where('id', '=', keptId).executeTakeFirst())
  const { id } = await tx
    .insertInto('categories')
    .values({ ...category, ...(keptId !== null && !taken && { id: keptId }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Only for an instance without events: its initial categories would conflict with kept ids. */
export async function removeFirstCategories(tx: Tx): Promise<void> {
  await tx.deleteFrom('categories').where('event_id', 'is', null).execute()
}

/** An event type that exists stays as it is. */
export async function insertMovedEventType(tx: Tx, type: EventTypeTable): Promise<void> {
  await tx
    .insertInto('event_types')
    .values(type)
    .onConflict((conflict) => conflict.column('slug_prefix').doNothing())
    .execute()
}
