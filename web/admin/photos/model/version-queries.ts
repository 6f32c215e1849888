import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { formatList } from '../../components/format-list.ts'
import { useEvent } from '../../events/event-context.tsx'
import type { Photo } from './photo-queries.ts'

export type ReviewedPhoto = Schemas['ReviewedPhoto']
export type Version = Schemas['VersionList']['versions'][number]
type Review = Pick<Schemas['ReviewList'], 'photos' | 'asked_count' | 'approved_count'>

export type ShownVersion = {
  /** The earlier version that the viewer shows in place of the current one. */
  version: Version | null
  onVersion: (version: Version | null) => void
}

const t = translator('photos')

const photosPerPage = 500

/** What guests have decided about all photos of the event, and who has not decided. */
export const reviewQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['photos', eventId, 'review'] as const,
    queryFn: async ({ signal }): Promise<Review> => {
      const photos: ReviewedPhoto[] = []
      for (let page = 1; ; page++) {
        const params = { path: { event_id: eventId }, query: { page, limit: photosPerPage } }
        const reply = await unwrap(api.GET('/api/admin/events/{event_id}/decisions', { params, signal }))
        photos.push(...reply.photos)
        if (page >= reply.pagination.pages) return { ...reply, photos }
      }
    },
  })

const none: ReadonlyMap<number, ReviewedPhoto> = new Map()
const byPhoto = ({ photos }: Review) => new Map(photos.map((photo) => [photo.photo_id, photo]))

/** Returns what guests have decided, by photo; empty if the event does not keep versions. */
export function useReview(): ReadonlyMap<number, ReviewedPhoto> {
  const { id, keep_versions } = useEvent()
  return useQuery({ ...reviewQuery(id), select: byPhoto, enabled: keep_versions }).data ?? none
}

/** Loads again what guests have decided, and the lists that are filtered by it. */
export const invalidateReview = (eventId: number): Promise<void> =>
  queries.invalidateQueries({
    queryKey: ['photos', eventId],
    predicate: ({ queryKey: [, , part, search] }) =>
      part === 'review' || (search as { decision?: string } | undefined)?.decision !== undefined,
  })

export const versionsQuery = (eventId: number, photo: Pick<Photo, 'id' | 'content_hash'>) =>
  queryOptions({
    queryKey: ['photos', eventId, 'versions', photo.id, photo.content_hash] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId, photo_id: photo.id } }
      return (await unwrap(api.GET('/api/admin/events/{event_id}/photos/{photo_id}/versions', { params, signal })))
        .versions
    },
    retry: false,
  })

/** Returns the state of a photo, and for whom it waits; null if nobody has been asked. */
export function reviewLabel(review: ReviewedPhoto | undefined): string | null {
  if (!review || review.state === 'unasked') return null
  const names = review.waiting_for.map(({ guest_name }) => guest_name ?? t('somebody'))
  if (review.state === 'waiting' && names.length > 0) return t('waitingFor', { names: formatList(names) })
  return t(`decision_${review.state}`)
}
