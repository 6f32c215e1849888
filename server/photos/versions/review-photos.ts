import type { ReviewState } from '../../../contract/gallery/decisions.ts'
import type { DecisionsQuery, ReviewedPhoto, ReviewList } from '../../../contract/gallery/versions.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { loadGuestNames } from '../../events/guests/guest-rows.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import { isOneOf } from '../../platform/database/short-read.ts'
import type { Database } from '../../platform/database/tables.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { PhotoFilter } from '../lists/photo-filters.ts'
import { listChoosers } from './deciders.ts'
import { listDecisions } from './decision-rows.ts'
import { isApproved, judgeReview } from './review-rules.ts'

export type Review = {
  photos: ReviewedPhoto[]
  /** The photos that are to be approved. */
  asked: ReviewedPhoto[]
  approved_count: number
}

/** Limits the reply for a photo about which very many guests decide. */
const maxListed = 100

/**
 * Returns the photos that are to be approved, and all others with a decision or more than one version. Without photos that are
 * hidden or in the trash.
 */
export async function reviewPhotos(db: Database, event: EventRow): Promise<Review> {
  const versions = await listVersionNumbers(db, event.id)
  const choosers = await listChoosers(db, event.id)
  const given = Map.groupBy(await listDecisions(db, event.id), ({ photo_id }) => photo_id)
  const asked: ReadonlyMap<number, unknown> = choosers.size > 0 ? choosers : versions
  const rows = await loadVisible(db, event.id, [...new Set([...asked.keys(), ...versions.keys(), ...given.keys()])])
  const names = await loadGuestNames(db, [...new Set([...choosers.values()].flat())])
  const photos = rows.map(({ id, source_filename, content_hash }): ReviewedPhoto => {
    const version = versions.get(id) ?? 1
    const ofPhoto = given.get(id) ?? []
    const isCurrent = (one: (typeof ofPhoto)[number]) => one.version === version && one.content_hash === content_hash
    const current = ofPhoto.filter(isCurrent)
    const decided = new Set(current.map(({ guest_id }) => guest_id))
    const missing = event.has_package === 1 ? (choosers.get(id) ?? []).filter((guestId) => !decided.has(guestId)) : null
    return {
      photo_id: id,
      source_filename,
      version,
      state: judgeReview({
        version,
        current: current.map(({ decision }) => decision),
        missing: missing?.length ?? null,
      }),
      waiting_for: (missing ?? [])
        .slice(0, maxListed)
        .map((guest_id) => ({ guest_id, guest_name: names.get(guest_id) ?? null })),
      decisions: ofPhoto.slice(-maxListed).map((one) => ({
        version: one.version,
        content_hash: one.content_hash,
        guest_id: one.guest_id,
        guest_name: one.guest_name,
        decision: one.decision,
        decided_at: isoTime(Number(one.decided_at)),
        is_current: isCurrent(one),
      })),
    }
  })
  const inQuestion = photos.filter(({ photo_id }) => asked.has(photo_id))
  return { photos, asked: inQuestion, approved_count: inQuestion.filter(({ state }) => isApproved(state)).length }
}

export async function listReview(db: Database, event: EventRow, query: DecisionsQuery): Promise<ReviewList> {
  const { photos, asked, approved_count } = await reviewPhotos(db, event)
  const { page, limit, state, photo_id } = query
  const found = photos.filter(
    (photo) =>
      (state === undefined || photo.state === state) && (photo_id === undefined || photo.photo_id === photo_id),
  )
  return {
    photos: found.slice((page - 1) * limit, page * limit),
    asked_count: asked.length,
    approved_count,
    pagination: toPagination(query, found.length),
  }
}

/** Returns the filter for only photos in this state; without one, the filter as it is. */
export async function filterByDecision(
  db: Database,
  event: EventRow,
  filter: PhotoFilter,
  state: ReviewState | '' | undefined,
): Promise<PhotoFilter> {
  if (!state) return filter
  const { photos } = await reviewPhotos(db, event)
  return { ...filter, ids: photos.filter((photo) => photo.state === state).map(({ photo_id }) => photo_id) }
}

/** Returns the number of the current version of each photo with more than one version. */
async function listVersionNumbers(db: Database, eventId: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('photo_versions')
    .select(({ fn }) => ['photo_id', fn.max('number').as('earlier')])
    .where('event_id', '=', eventId)
    .groupBy('photo_id')
    .execute()
  return new Map(rows.map(({ photo_id, earlier }) => [photo_id, Number(earlier) + 1]))
}

/** In the order of upload. */
const loadVisible = (db: Database, eventId: number, ids: readonly number[]) =>
  db
    .selectFrom('photos')
    .select(['id', 'source_filename', 'content_hash'])
    .where('event_id', '=', eventId)
    .where(isOneOf(db, 'photos.id', ids))
    .where(visibleToGuests())
    .orderBy('uploaded_at')
    .orderBy('id')
    .execute()
