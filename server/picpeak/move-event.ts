import { insertMovedCategory, insertMovedEvent, setMovedReferences } from '../events/moved-events.ts'
import { addOldSlug } from '../events/old-addresses.ts'
import { countMovedFeedback, insertMovedFeedback, insertMovedGuest } from '../feedback/moved-feedback.ts'
import { moveIn } from '../photos/arriving-photos.ts'
import { addTotals } from '../photos/photo-totals.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { queueVideo } from '../videos/video-job-rows.ts'
import { categoryColumns } from './move-catalog.ts'
import type { Move } from './move-context.ts'
import type { SourceContent } from './read-content.ts'
import type { SourceEvent } from './read-event.ts'
import type { SourceFeedback, SourceGuest } from './read-feedback.ts'
import { raiseCounter } from './target-ids.ts'

type Target = {
  id: number
  /** Ids of accounts and of global categories here, by those of the source. */
  userIds: ReadonlyMap<number, number>
  categoryIds: ReadonlyMap<string, string>
}

/** Creates the event with everything that belongs to it, in one transaction. Its photos must have arrived. */
export async function createMovedEvent(
  { ctx, moved, add, keepsIds }: Move,
  event: SourceEvent,
  content: SourceContent,
  target: Target,
): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, 'everything', async (tx) => {
    const created_by = target.userIds.get(event.createdBy ?? 0) ?? null
    const { slug } = event.columns
    const slugHere = await insertMovedEvent(tx, { ...event.columns, created_by, id: target.id })
    if (slugHere !== slug) {
      add(
        'events',
        event.id,
        `The slug ${slug} is taken here: it becomes ${slugHere}. The share link opens all the same.`,
      )
      await addOldSlug(tx, slug, target.id)
    }
    for (const oldSlug of content.oldSlugs) await addOldSlug(tx, oldSlug, target.id)
    const { categoryIds, photos } = await moveContent(tx, { moved, add, keepsIds, now }, content, target)
    await setMovedReferences(tx, target.id, {
      uploadCategoryId: categoryIds.get(event.uploadCategoryId ?? 0) ?? null,
      coverPhotoId: photos.get(event.coverPhotoId ?? 0)?.id ?? null,
    })
    if (keepsIds) for (const table of ['events', 'photos', 'categories'] as const) await raiseCounter(tx, table)
    await moved.record(tx, 'event', [[event.id, target.id]])
  })
  ctx.changes.notify('photo', null)
}

/** Adds what is new in the source since the event was moved: photos that have arrived, guests and feedback. */
export async function addToMovedEvent(
  { ctx, moved, add, keepsIds }: Move,
  content: SourceContent,
  target: Target,
): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, `event ${target.id}`, async (tx) => {
    await moveContent(tx, { moved, add, keepsIds, now }, content, target)
    if (keepsIds) for (const table of ['photos', 'categories'] as const) await raiseCounter(tx, table)
  })
  ctx.changes.notify('photo', null)
}

type Circumstances = Pick<Move, 'moved' | 'add' | 'keepsIds'> & { now: number }

async function moveContent(tx: Tx, circumstances: Circumstances, content: SourceContent, target: Target) {
  const { moved, keepsIds, now } = circumstances
  const categoryIds = await moveCategories(tx, circumstances, content, target)
  const byId = new Map(content.photos.map((photo) => [photo.id, photo]))
  const photos = await moveIn(tx, target.id, {
    keepsIds,
    place: (id) => ({ category_id: categoryIds.get(byId.get(id)?.categoryId ?? 0) ?? null, guest_id: null }),
  })
  await moved.record(
    tx,
    'photo',
    Array.from(photos, ([sourceId, { id }]) => [sourceId, id]),
  )
  for (const photo of photos.values()) if (photo.media_type === 'video') await queueVideo(tx, photo)
  if (photos.size > 0) await addTotals(tx, target.id, [...photos.values()], now)
  await moveFeedback(tx, circumstances, content, target.id)
  return { categoryIds, photos }
}

async function moveCategories(
  tx: Tx,
  { moved, keepsIds, now }: Circumstances,
  { categories }: SourceContent,
  { id: eventId, categoryIds: known }: Target,
): Promise<Map<number, number>> {
  const ids = new Map(Array.from(known, ([sourceId, id]) => [Number(sourceId), Number(id)]))
  for (const { id: sourceId, row } of categories) {
    if (ids.has(sourceId)) continue
    const columns = categoryColumns(row, eventId, now)
    const id = await insertMovedCategory(tx, columns, keepsIds ? sourceId : null)
    ids.set(sourceId, id)
    await moved.record(tx, 'category', [[sourceId, id]])
  }
  return ids
}

async function moveGuests(
  tx: Tx,
  { moved }: Circumstances,
  guests: readonly SourceGuest[],
  eventId: number,
): Promise<Map<string, string>> {
  const known = await moved.find(
    tx,
    'guest',
    guests.map(({ key }) => key),
  )
  for (const { key, name, email, createdAt } of guests) {
    if (known.has(key)) continue
    const id = await insertMovedGuest(tx, { eventId, name, email, createdAt })
    await moved.record(tx, 'guest', [[key, id]])
    known.set(key, id)
  }
  return known
}

async function moveFeedback(
  tx: Tx,
  circumstances: Circumstances,
  { feedback, guests }: SourceContent,
  eventId: number,
): Promise<void> {
  const { moved, add } = circumstances
  const guestIds = await moveGuests(tx, circumstances, guests, eventId)
  const known = await moved.find(
    tx,
    'feedback',
    feedback.map(({ id }) => id),
  )
  const photoIds = await moved.find(tx, 'photo', [...new Set(feedback.map(({ photoId }) => photoId))])
  const marked = new Set<number>()
  for (const one of feedback) {
    const photoId = Number(photoIds.get(String(one.photoId)) ?? 0)
    const guestId = guestIds.get(one.guest.key)
    if (known.has(String(one.id))) continue
    if (photoId === 0 || guestId === undefined) {
      add('photo_feedback', one.id, `The photo ${one.photoId} was not moved.`)
      continue
    }
    const id = await insertMovedFeedback(tx, feedbackRow(one, { eventId, photoId, guestId }))
    if (id === null) add('photo_feedback', one.id, 'The guest has such a mark here.')
    else await moved.record(tx, 'feedback', [[one.id, id]])
    marked.add(photoId)
  }
  await countMovedFeedback(tx, [...marked])
}

const feedbackRow = (
  { kind, rating, colorLabel, comment, isVisible, reviewedAt, createdAt, updatedAt }: SourceFeedback,
  ids: { eventId: number; photoId: number; guestId: string },
) => ({
  event_id: ids.eventId,
  photo_id: ids.photoId,
  guest_id: ids.guestId,
  kind,
  rating,
  color_label: colorLabel,
  comment_text: comment,
  is_visible: isVisible,
  judged_at: reviewedAt,
  created_at: createdAt,
  updated_at: updatedAt,
})
