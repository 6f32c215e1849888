import { expect, test } from 'vitest'
import type { GalleryFilterQuery, GallerySortQuery } from '../../contract/gallery/gallery.ts'
import { catchAppError } from '../../tests/support/clients/app-errors.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Viewer } from '../gallery-access/viewing-rules.ts'
import type { PhotoOrder } from '../photos/photo-orders.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'

const guest: Viewer = { kind: 'guest', guest: { eventId: 3, accessKey: 'key', guestId: 'ana' } }
const operator: Viewer = { kind: 'operator' }

const none = { kinds: [], colors: [], minRating: 0 }

test.each<[GalleryFilterQuery, object]>([
  [{}, {}],
  [{ filter: '', color_label: 'all', search: ' ', category_id: 'all', my_min_rating: '0' }, {}],
  [{ filter: ' , ' }, {}],
  [{ filter: 'liked,all' }, {}],
  [{ media_type: 'all' }, {}],
  [{ media_type: 'image' }, { mediaType: 'image' }],
  [{ media_type: 'video' }, { mediaType: 'video' }],
  [{ search: ' DSC_1 ' }, { search: 'dsc_1' }],
  [{ category_id: '7' }, { category: 7 }],
  [{ category_id: 'collage' }, { category: 'collage' }],
  [{ filter: 'liked' }, { given: { ...none, kinds: ['like'] } }],
  [
    { filter: 'commented, rated,favorited , liked,rated' },
    { given: { ...none, kinds: ['like', 'favorite', 'rating', 'comment'] } },
  ],
  [{ color_label: 'blue, red' }, { given: { ...none, colors: ['red', 'blue'] } }],
  [{ my_min_rating: '3' }, { given: { ...none, minRating: 3 } }],
  [
    { filter: 'rated', color_label: 'red', my_min_rating: '2' },
    { given: { kinds: ['rating'], colors: ['red'], minRating: 2 } },
  ],
] as Array<[GalleryFilterQuery, object]>)('gallery filter %o', (query, expected) => {
  const of = (guestId: string | null) =>
    'given' in expected ? { ...expected, given: { ...(expected.given as object), guestId } } : expected
  expect(parseGalleryFilter(query, guest)).toStrictEqual({ onlyVisible: true, ...of('ana') })
  expect(parseGalleryFilter(query, operator)).toStrictEqual({ onlyVisible: false, ...of(null) })
})

test.each<[GalleryFilterQuery, string, string]>([
  [{ filter: 'liked,seen' }, 'filter', 'must only contain liked, favorited, rated, commented, or be all'],
  [{ filter: 'all,seen' }, 'filter', 'must only contain liked, favorited, rated, commented, or be all'],
  [{ color_label: 'orange' }, 'color_label', 'must only contain red, yellow, green, blue, purple, or be all'],
])('gallery filter rejects %o', (query, path, message) => {
  expect(catchAppError(() => parseGalleryFilter(query, guest))?.extras.details).toEqual([{ path, message }])
})

test('gallery filter rejects an unknown category', () => {
  expect(catchAppError(() => parseGalleryFilter({ category_id: 'x' }, guest))?.extras.details).toMatchObject([
    { path: 'category_id' },
  ])
})

const event = { default_photo_sort: 'capture_date_desc', feedback_enabled: 1, show_feedback_to_guests: 1 } as EventRow

test.each<[GallerySortQuery, PhotoOrder]>([
  [{}, { by: 'capture_date', direction: 'desc' }],
  [{ order: 'asc' }, { by: 'capture_date', direction: 'asc' }],
  [{ sort: 'filename' }, { by: 'filename', direction: 'asc' }],
  [{ sort: 'filename_desc' }, { by: 'filename', direction: 'desc' }],
  [
    { sort: 'filename_asc', order: 'asc' },
    { by: 'filename', direction: 'asc' },
  ],
  [{ sort: 'name' }, { by: 'filename', direction: 'asc' }],
  [{ sort: 'date_desc' }, { by: 'upload_date', direction: 'desc' }],
  [
    { sort: 'upload_date', order: 'desc' },
    { by: 'upload_date', direction: 'desc' },
  ],
  [{ sort: 'size' }, { by: 'size', direction: 'asc' }],
  [{ sort: 'rating' }, { by: 'rating', direction: 'desc' }],
  [
    { sort: 'rating', order: 'asc' },
    { by: 'rating', direction: 'asc' },
  ],
  [{ sort: 'rating_asc' }, { by: 'rating', direction: 'asc' }],
])('gallery order %o is %o', (query, order) => {
  for (const viewer of [guest, operator]) expect(parseGalleryOrder(query, event, viewer)).toEqual(order)
})

test('gallery order rejects an order that contradicts the sort', () => {
  const appError = catchAppError(() => parseGalleryOrder({ sort: 'size_asc', order: 'desc' }, event, guest))
  expect(appError?.extras.details).toEqual([{ path: 'order', message: 'contradicts the sort' }])
})

test('gallery order rejects sorting by rating only for guests who do not see the feedback of others', () => {
  const closed = { ...event, show_feedback_to_guests: 0 } as EventRow
  const appError = catchAppError(() => parseGalleryOrder({ sort: 'rating' }, closed, guest))
  const message = 'must not be rating because guests do not see the feedback of others in this gallery'
  expect(appError?.extras.details).toEqual([{ path: 'sort', message }])
  expect(parseGalleryOrder({ sort: 'rating' }, closed, operator)).toEqual({ by: 'rating', direction: 'desc' })
  expect(parseGalleryOrder({ sort: 'size' }, closed, guest)).toEqual({ by: 'size', direction: 'asc' })
})
