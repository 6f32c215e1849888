import { queryOptions } from '@tanstack/react-query'
import { api, must, type Wire } from '../api/api.ts'
import { queries } from '../desk/queries.ts'
import type { PhotoSearch } from './photo-search.ts'

export type Photo = Wire['Photo']
export type PhotoPage = Wire['PhotoGrid']

/** So many photos come at once: a few windows full. */
export const photosAtOnce = 100

/** One page of the grid, counted from 0. */
export const photoPageQuery = (eventId: number, search: PhotoSearch, page: number) =>
  queryOptions({
    queryKey: ['photos', eventId, 'page', search, page] as const,
    queryFn: ({ signal }) =>
      must(
        api.GET('/api/admin/photos/{event_id}/photos', {
          params: { path: { event_id: eventId }, query: { ...search, page: page + 1, limit: photosAtOnce } },
          signal,
        }),
      ),
    staleTime: 30_000,
  })

/** One photo by itself: of a link, or one that the filters leave out. */
export const photoQuery = (eventId: number, photoId: number) =>
  queryOptions({
    queryKey: ['photos', eventId, 'photo', photoId] as const,
    queryFn: async ({ signal }) => {
      const answered = api.GET('/api/admin/photos/{event_id}/photo/{photo_id}', {
        params: { path: { event_id: eventId, photo_id: photoId } },
        // The same address hands out the picture.
        headers: { accept: 'application/json' },
        signal,
      })
      return (await must(answered)) as Photo
    },
  })

/** The ids of all photos that the grid would show, in its order. */
export const photoIdsQuery = (eventId: number, search: PhotoSearch) =>
  queryOptions({
    queryKey: ['photos', eventId, 'ids', search] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId }, query: search }
      return (await must(api.GET('/api/admin/photos/{event_id}/photo-ids', { params, signal }))).ids
    },
  })

/** Asked anew each time: what is done to many is to meet just those there are. */
export const askIds = (eventId: number, search: PhotoSearch): Promise<number[]> =>
  queries.fetchQuery({ ...photoIdsQuery(eventId, search), staleTime: 0 })

export const categoriesQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['categories', eventId] as const,
    queryFn: ({ signal }) =>
      must(api.GET('/api/admin/categories/event/{event_id}', { params: { path: { event_id: eventId } }, signal })),
  })

/** Has the grid show by now what was done, and answers a way back for when it was not. */
export function showAtOnce(eventId: number, ids: ReadonlySet<number>, change: (photo: Photo) => Photo): () => void {
  const before = new Map<number, Photo>()
  const changed = (photo: Photo): Photo => {
    if (!ids.has(photo.id)) return photo
    before.set(photo.id, photo)
    return change(photo)
  }
  forEachPhoto(eventId, changed)
  return () => forEachPhoto(eventId, (photo) => before.get(photo.id) ?? photo)
}

function forEachPhoto(eventId: number, change: (photo: Photo) => Photo): void {
  queries.setQueriesData<PhotoPage>({ queryKey: ['photos', eventId, 'page'] }, (page) => {
    if (!page) return page
    const photos = page.photos.map(change)
    return photos.some((photo, index) => photo !== page.photos[index]) ? { ...page, photos } : page
  })
  queries.setQueriesData<Photo>({ queryKey: ['photos', eventId, 'photo'] }, (photo) => photo && change(photo))
}

/** Those of the ids that were loaded once, by id. */
export function knownPhotos(eventId: number, ids: ReadonlySet<number>): Map<number, Photo> {
  const known = new Map<number, Photo>()
  for (const [, page] of queries.getQueriesData<PhotoPage>({ queryKey: ['photos', eventId, 'page'] })) {
    for (const photo of page?.photos ?? []) if (ids.has(photo.id)) known.set(photo.id, photo)
  }
  for (const [, photo] of queries.getQueriesData<Photo>({ queryKey: ['photos', eventId, 'photo'] })) {
    if (photo && ids.has(photo.id)) known.set(photo.id, photo)
  }
  return known
}

/** After a write: what the lists show is asked anew, and the event's own counts. */
export function askAgain(eventId: number): Promise<unknown> {
  // Photos may stand at other places by now.
  queries.removeQueries({ queryKey: ['photos', eventId, 'page'], type: 'inactive' })
  return Promise.all([
    queries.invalidateQueries({ queryKey: ['photos', eventId] }),
    queries.invalidateQueries({ queryKey: ['categories', eventId] }),
    queries.invalidateQueries({ queryKey: ['event', eventId] }),
  ])
}
