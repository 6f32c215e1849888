import { presentEvents } from '../events/event-rows.ts'
import { visibleToGuests } from '../events/visible-photos.ts'
import type { Database } from '../platform/database/tables.ts'
import { findPhoto, type PhotoRow } from './photo-rows.ts'

/**
 * Returns photo ids by event id: the chosen cover if it is visible, else the first uploaded of the visible images and
 * of the visible videos with a still. Events without such a photo are absent.
 */
export async function findCoverIds(db: Database, eventIds: readonly number[]): Promise<Map<number, number>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db
    .selectFrom(presentEvents(db))
    .select([
      'events.id',
      (events) =>
        events.fn
          .coalesce(
            events
              .selectFrom('photos as chosen')
              .select('chosen.id')
              .whereRef('chosen.id', '=', 'events.cover_photo_id')
              .whereRef('chosen.event_id', '=', 'events.id')
              .where(visibleToGuests('chosen')),
            events
              .selectFrom('photos as first')
              .select('first.id')
              .whereRef('first.event_id', '=', 'events.id')
              .where(visibleToGuests('first'))
              .where(({ eb, or }) =>
                or([eb('first.media_type', '=', 'image'), eb('first.still_filename', 'is not', null)]),
              )
              .orderBy('first.uploaded_at')
              .orderBy('first.id')
              .limit(1),
          )
          .as('cover_id'),
    ])
    .where('events.id', 'in', [...eventIds])
    .execute()
  return new Map(rows.flatMap(({ id, cover_id }) => (cover_id === null ? [] : [[id, cover_id]])))
}

export async function findCoverPhoto(db: Database, eventId: number): Promise<PhotoRow | undefined> {
  const id = (await findCoverIds(db, [eventId])).get(eventId)
  return id === undefined ? undefined : findPhoto(db, eventId, id)
}
