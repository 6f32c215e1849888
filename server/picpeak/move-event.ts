import { findActingGuest, insertMovedGuest } from '../events/guests/guest-rows.ts'
import { findCategoryIds, insertMovedCategory, insertMovedEvent, setMovedReferences } from '../events/moved-events.ts'
import { addOldSlug } from '../events/old-addresses.ts'
import { countMovedFeedback, insertMovedFeedback } from '../feedback/moved-feedback.ts'
import { moveIn } from '../photos/arriving-photos.ts'
import { findIdsOfEvent } from '../photos/photo-rows.ts'
import { addTotals } from '../photos/photo-totals.ts'
import { queueVideo } from '../photos/videos/video-job-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { t } from '../platform/text/command-messages.ts'
import { categoryColumns } from './move-catalog.ts'
import type { Move } from './move-context.ts'
import type { SourceContent } from './read-content.ts'
import type { SourceEvent } from './read-event.ts'
import type { SourceFeedback, SourceGuest } from './read-feedback.ts'

type Target = {
  id: number
  /** Ids of accounts and of global categories here, by those of the source. */
  userIds: ReadonlyMap<number, number>
  categoryIds: ReadonlyMap<string, string>
}

/** Creates the event with everything that belongs to it, in one transaction. Its photos must have arrived. */
export async function createMovedEvent(
  { ctx, ...move }: Move,
  event: SourceEvent,
  content: SourceContent,
  target: Target,
): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, 'everything', async (tx) => {
    const created_by = target.userIds.get(event.createdBy ?? 0) ?? null
    const { slug } = event.columns
    const slugHere = await insertMovedEvent(tx, { ...event.columns, created_by, id: target.id })
    if (slugHere !== slug) move.add('events', event.id, t('slugTaken', { slug, changed: slugHere }))
    const oldSlugs = new Set([slug, event.folder, ...content.oldSlugs])
    oldSlugs.delete(slugHere)
    for (const oldSlug of oldSlugs) await addOldSlug(tx, oldSlug, target.id)
    const { categoryIds, photos } = await moveContent(tx, { ...move, now }, content, target)
    await setMovedReferences(tx, target.id, {
      uploadCategoryId: categoryIds.get(event.uploadCategoryId ?? 0) ?? null,
      coverPhotoId: photos.get(event.coverPhotoId ?? 0)?.id ?? null,
    })
    await move.moved.record(tx, 'event', [[event.id, target.id]])
  })
  ctx.changes.notify('photo', null)
}

/** Adds what is new in the source since the event was moved: photos that have arrived, guests and feedback. */
export async function addToMovedEvent({ ctx, ...move }: Move, content: SourceContent, target: Target): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, `event ${target.id}`, async (tx) => {
    await moveContent(tx, { ...move, now }, content, target)
  })
  ctx.changes.notify('photo', null)
}

type Circumstances = Omit<Move, 'ctx'> & { now: number }

async function moveContent(tx: Tx, circumstances: Circumstances, content: SourceContent, target: Target) {
  const { moved, add, keepsIds, keepsId, now } = circumstances
  const categoryIds = await moveCategories(tx, circumstances, content, target)
  const byId = new Map(content.photos.map((photo) => [photo.id, photo]))
  const photos = await moveIn(tx, target.id, {
    keepsId: (id) => keepsId('photos', id),
    place: (id) => ({ category_id: categoryIds.get(byId.get(id)?.categoryId ?? 0) ?? null, guest_id: null }),
  })
  await moved.record(
    tx,
    'photo',
    Array.from(photos, ([sourceId, { id }]) => [sourceId, id]),
  )
  if (keepsIds) for (const [id, photo] of photos) if (photo.id !== id) add('photos', id, t('newId', { id: photo.id }))
  for (const photo of photos.values()) if (photo.media_type === 'video') await queueVideo(tx, photo)
  if (photos.size > 0) await addTotals(tx, target.id, [...photos.values()], now)
  await moveFeedback(tx, circumstances, content, target.id)
  return { categoryIds, photos }
}

async function moveCategories(
  tx: Tx,
  { moved, keepsId, now }: Circumstances,
  { categories }: SourceContent,
  { id: eventId, categoryIds: known }: Target,
): Promise<Map<number, number | null>> {
  const here = await findCategoryIds(tx, eventId)
  // A category that was moved and then deleted here stays deleted.
  const ids = new Map(
    Array.from(known, ([sourceId, id]) => [Number(sourceId), here.has(Number(id)) ? Number(id) : null]),
  )
  for (const { id: sourceId, row } of categories) {
    if (ids.has(sourceId)) continue
    const columns = categoryColumns(row, eventId, now)
    const id = await insertMovedCategory(tx, columns, keepsId('categories', sourceId) ? sourceId : null)
    ids.set(sourceId, id)
    await moved.record(tx, 'category', [[sourceId, id]])
  }
  return ids
}

/** Returns the guests who act here, by their keys in the source. Null for a guest who was erased here. */
async function moveGuests(
  tx: Tx,
  { moved }: Circumstances,
  guests: readonly SourceGuest[],
  eventId: number,
): Promise<Map<string, string | null>> {
  const known = await moved.find(
    tx,
    'guest',
    guests.map(({ key }) => key),
  )
  const acting = new Map<string, string | null>()
  for (const { key, name, email, createdAt } of guests) {
    const knownId = known.get(key)
    if (knownId !== undefined) {
      acting.set(key, await findActingGuest(tx, eventId, knownId))
      continue
    }
    const id = await insertMovedGuest(tx, { eventId, name, email, createdAt })
    await moved.record(tx, 'guest', [[key, id]])
    acting.set(key, id)
  }
  return acting
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
  const here = await findPhotosHere(tx, eventId, [...photoIds.values()].map(Number))
  const marked = new Set<number>()
  for (const one of feedback) {
    const photoId = Number(photoIds.get(String(one.photoId)) ?? 0)
    const guestId = guestIds.get(one.guest.key)
    if (known.has(String(one.id))) continue
    if (!here.has(photoId)) {
      const reason = photoId === 0 ? 'photoNotMoved' : 'photoDeletedHere'
      add('photo_feedback', one.id, t(reason, { photo: one.photoId }))
      continue
    }
    if (!guestId) {
      add('photo_feedback', one.id, t('guestErased'))
      continue
    }
    const id = await insertMovedFeedback(tx, feedbackRow(one, { eventId, photoId, guestId }))
    if (id === null) add('photo_feedback', one.id, t('markExists'))
    else await moved.record(tx, 'feedback', [[one.id, id]])
    marked.add(photoId)
  }
  await countMovedFeedback(tx, [...marked])
}

const idsPerQuery = 500

async function findPhotosHere(tx: Tx, eventId: number, ids: readonly number[]): Promise<Set<number>> {
  const here = new Set<number>()
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    for (const id of await findIdsOfEvent(tx, eventId, ids.slice(start, start + idsPerQuery))) here.add(id)
  }
  return here
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
