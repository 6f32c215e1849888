import type { ReviewState } from '../../../contract/gallery/decisions.ts'
import type { DecisionsQuery, ReviewedPhoto, ReviewList } from '../../../contract/gallery/versions.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { loadGuestNames } from '../../events/guests/guest-rows.ts'
import { isVisibleToGuests } from '../../events/visible-photos.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Database } from '../../platform/database/tables.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { PhotoFilter } from '../lists/photo-filters.ts'
import { listChoosers } from './deciders.ts'
import { listDecisions } from './decision-rows.ts'
import { isApproved, judgeReview } from './review-rules.ts'

export type Review = { photos: ReviewedPhoto[]; asked_count: number; approved_count: number }

/** Limits the SQL parameters of one query. */
const idsPerQuery = 5000

/**
 * Returns the photos that are to be approved, and all others with a decision or more than one version. Without photos that are
 * hidden or in the trash.
 */
export async function reviewPhotos(db: Database, event: EventRow): Promise<Review> {
  const versions = await listVersionNumbers(db, event.id)
  const choosers = await listChoosers(db, event.id)
  const given = Map.groupBy(await listDecisions(db, event.id), ({ photo_id }) => photo_id)
  const asked: ReadonlyMap<number, unknown> = choosers.size > 0 ? choosers : versions
  const rows = await loadPhotos(db, event.id, [...new Set([...asked.keys(), ...versions.keys(), ...given.keys()])])
  const names = await loadGuestNames(db, [...new Set([...choosers.values()].flat())])
  const photos = rows.map(({ id, source_filename, content_hash }): ReviewedPhoto => {
    const version = versions.get(id) ?? 1
    const ofPhoto = given.get(id) ?? []
    const current = ofPhoto.filter((one) => one.version === version && one.content_hash === content_hash)
    const missing =
      event.has_package === 1
        ? (choosers.get(id) ?? []).filter((guestId) => !current.some(({ guest_id }) => guest_id === guestId))
        : null
    return {
      photo_id: id,
      source_filename,
      version,
      state: judgeReview({
        version,
        current: current.map(({ decision }) => decision),
        missing: missing?.length ?? null,
      }),
      waiting_for: (missing ?? []).map((guest_id) => ({ guest_id, guest_name: names.get(guest_id) ?? null })),
      decisions: ofPhoto.map((one) => ({
        version: one.version,
        content_hash: one.content_hash,
        guest_id: one.guest_id,
        guest_name: one.guest_name,
        decision: one.decision,
        decided_at: isoTime(Number(one.decided_at)),
        is_current: current.includes(one),
      })),
    }
  })
  const inQuestion = photos.filter(({ photo_id }) => asked.has(photo_id))
  const approved = inQuestion.filter(({ state }) => isApproved(state))
  return { photos, asked_count: inQuestion.length, approved_count: approved.length }
}

export async function listReview(db: Database, event: EventRow, query: DecisionsQuery): Promise<ReviewList> {
  const { photos, ...counts } = await reviewPhotos(db, event)
  const { page, limit, state, photo_id } = query
  const found = photos.filter(
    (photo) =>
      (state === undefined || photo.state === state) && (photo_id === undefined || photo.photo_id === photo_id),
  )
  return {
    photos: found.slice((page - 1) * limit, page * limit),
    ...counts,
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

async function loadPhotos(db: Database, eventId: number, ids: readonly number[]) {
  const rows = []
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    const some = db
      .selectFrom('photos')
      .select(['id', 'source_filename', 'content_hash', 'visibility', 'uploaded_at'])
      .where('event_id', '=', eventId)
      .where('id', 'in', ids.slice(start, start + idsPerQuery))
    rows.push(...(await some.execute()))
  }
  return rows.filter(isVisibleToGuests).sort((a, b) => a.uploaded_at - b.uploaded_at || a.id - b.id)
}
