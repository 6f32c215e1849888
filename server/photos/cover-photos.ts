import { LRUCache } from 'lru-cache'
import { storeCoverFacts } from '../events/cover-facts.ts'
import { presentEvents } from '../events/event-rows.ts'
import { visibleToGuests } from '../events/visible-photos.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { minutes } from '../platform/time/clock.ts'
import { thumbnailKey } from './photo-files.ts'
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

type MeasuredPhoto = Pick<PhotoRow, 'content_hash' | 'thumbnail_filename'>

export type MeasureCover = (eventId: number, photo: MeasuredPhoto) => Promise<void>

/**
 * Returns a function that measures the thumbnail of a cover and stores the result in the event. It never rejects;
 * failures are logged. Simultaneous visitors start one measurement, and a failed one is not repeated for a minute.
 */
export function createMeasureCover(ctx: PlatformContext): MeasureCover {
  const started = new LRUCache<string, Promise<void>>({ max: 1000, ttl: minutes(1) })
  const logFailure = (error: unknown) => ctx.log.warn({ err: error }, 'Could not measure a cover')
  return (eventId, photo) => {
    const key = `${eventId} ${photo.content_hash}`
    const earlier = started.get(key)
    if (earlier) return earlier
    const work = measure(ctx, eventId, photo).then(() => void started.delete(key), logFailure)
    started.set(key, work)
    return work
  }
}

async function measure(
  { db, storage, imageWorkers, changes }: PlatformContext,
  eventId: number,
  { content_hash: contentHash, thumbnail_filename: filename }: MeasuredPhoto,
): Promise<void> {
  if (filename === null) return
  const run = (sourcePath: string) => imageWorkers.run({ kind: 'measure-cover', sourcePath })
  const result = await storage.withLocalFile(thumbnailKey(eventId, filename), run)
  const facts = result.outcome === 'made' ? result.facts : { focusX: 50, focusY: 40, levels: '' }
  await storeCoverFacts(db, eventId, { ...facts, contentHash })
  changes.notify('event', eventId)
}
