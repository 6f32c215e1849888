import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { queries } from '../../app/query-client.ts'
import type { PhotoSearch } from './photo-search.ts'

export type Photo = Schemas['GridPhoto']
type PhotoPage = Schemas['PhotoGrid']

export const photosPerPage = 100

/** `page` starts at 0. */
export const photoPageQuery = (eventId: number, search: PhotoSearch, page: number) =>
  queryOptions({
    queryKey: ['photos', eventId, 'page', search, page] as const,
    queryFn: ({ signal }) => {
      const query = { ...search, page: page + 1, limit: photosPerPage }
      const params = { path: { event_id: eventId }, query }
      return unwrap(api.GET('/api/admin/photos/{event_id}/photos', { params, signal }))
    },
    staleTime: 30_000,
  })

/** How many photos pass the filters. */
export const photoCountQuery = (eventId: number, search: PhotoSearch) =>
  queryOptions({
    queryKey: ['photos', eventId, 'count', search] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId }, query: { ...search, limit: 1 } }
      return (await unwrap(api.GET('/api/admin/photos/{event_id}/photos', { params, signal }))).pagination.filtered
    },
  })

export const photoQuery = (eventId: number, photoId: number) =>
  queryOptions({
    queryKey: ['photos', eventId, 'photo', photoId] as const,
    queryFn: async ({ signal }) => (await unwrap(requestPhoto(eventId, photoId, signal))) as Photo,
  })

const requestPhoto = (eventId: number, photoId: number, signal: AbortSignal | null = null) =>
  api.GET('/api/admin/photos/{event_id}/photo/{photo_id}', {
    params: { path: { event_id: eventId, photo_id: photoId } },
    // If this header names an image type, the same URL returns the image.
    headers: { accept: 'application/json' },
    signal,
  })

/** An API call renews an expired session; an image request does not. Never rejects. */
export const renewSessionForPhoto = (eventId: number, photoId: number): Promise<unknown> =>
  requestPhoto(eventId, photoId).catch(() => undefined)

export const photoIdsQuery = (eventId: number, search: PhotoSearch) =>
  queryOptions({
    queryKey: ['photos', eventId, 'ids', search] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId }, query: search }
      return (await unwrap(api.GET('/api/admin/photos/{event_id}/photo-ids', { params, signal }))).ids
    },
  })

/** Always requests the ids again, because bulk actions must apply to the current photos. */
export const fetchPhotoIds = (eventId: number, search: PhotoSearch): Promise<number[]> =>
  queries.fetchQuery({ ...photoIdsQuery(eventId, search), staleTime: 0 })

/** Changes photos in the cache before the API confirms the change. Returns a function that undoes the change. */
export function updateCachedPhotos(
  eventId: number,
  ids: ReadonlySet<number>,
  change: (photo: Photo) => Photo,
): () => void {
  const before = new Map<number, Photo>()
  mapCachedPhotos(eventId, (photo) => {
    if (!ids.has(photo.id)) return photo
    before.set(photo.id, photo)
    return change(photo)
  })
  return () => mapCachedPhotos(eventId, (photo) => before.get(photo.id) ?? photo)
}

function mapCachedPhotos(eventId: number, change: (photo: Photo) => Photo): void {
  queries.setQueriesData<PhotoPage>({ queryKey: ['photos', eventId, 'page'] }, (page) => {
    if (!page) return page
    const photos = page.photos.map(change)
    return photos.some((photo, index) => photo !== page.photos[index]) ? { ...page, photos } : page
  })
  queries.setQueriesData<Photo>({ queryKey: ['photos', eventId, 'photo'] }, (photo) => photo && change(photo))
}

export function findCachedPhotos(eventId: number, ids: ReadonlySet<number>): Map<number, Photo> {
  const known = new Map<number, Photo>()
  for (const [, page] of queries.getQueriesData<PhotoPage>({ queryKey: ['photos', eventId, 'page'] })) {
    for (const photo of page?.photos ?? []) if (ids.has(photo.id)) known.set(photo.id, photo)
  }
  for (const [, photo] of queries.getQueriesData<Photo>({ queryKey: ['photos', eventId, 'photo'] })) {
    if (photo && ids.has(photo.id)) known.set(photo.id, photo)
  }
  return known
}

export function invalidatePhotos(eventId: number): Promise<unknown> {
  // Removes pages that no component shows, because the positions of photos may have changed.
  queries.removeQueries({ queryKey: ['photos', eventId, 'page'], type: 'inactive' })
  return Promise.all([
    queries.invalidateQueries({ queryKey: ['photos', eventId] }),
    queries.invalidateQueries({ queryKey: ['categories', eventId] }),
    queries.invalidateQueries({ queryKey: ['event', eventId] }),
  ])
}
