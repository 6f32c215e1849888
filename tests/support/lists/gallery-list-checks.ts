import fc from 'fast-check'
import { expect } from 'vitest'
import { photoSorts } from '../../../contract/events.ts'
import type { TestClient } from '../clients/test-client.ts'
import { addPhotoRows, getStoredName } from '../database/photo-rows.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../fixtures/events.ts'
import type { TestService } from '../service/test-service.ts'
import { type GalleryModelPhoto, type GalleryModelQuery, modelGalleryList, noFeedback } from './gallery-list-model.ts'
import { modelColors } from './photo-list-model.ts'

const guestCount = 3
const nameParts = [
  'IMG_',
  'img_',
  'DSC',
  'Straße ',
  'STRASSE ',
  'fête-',
  'fe\u0302te-',
  'É',
  ' (1)',
  '-edit',
  '%',
  '_',
  '!',
  '\\',
]
const name = fc
  .tuple(
    fc.array(
      fc.oneof(fc.constantFrom(...nameParts), fc.nat({ max: 12 }).map(String), fc.constantFrom('007', '0010', '1200')),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    fc.constantFrom('.jpg', '.JPG', '.jpeg'),
  )
  .map(([parts, extension]) => (parts.join('') + extension).normalize('NFC'))

/** Each field has only a few values, so that many photos are equal in one field and differ in another. */
const photo = fc.record({
  name,
  sourceName: name,
  uploadedAt: fc.nat({ max: 30 }).map((seconds) => 1_700_000_000_000 + seconds * 1000),
  capturedAt: fc.option(fc.nat({ max: 9 }).map((seconds) => 1_600_000_000_000 + seconds * 1000)),
  sizeBytes: fc.integer({ min: 1, max: 9 }),
  place: fc.constantFrom(0, 1, 'individual' as const, 'collage' as const, null, null),
  mediaType: fc.constantFrom('image' as const, 'image' as const, 'video' as const),
  visibility: fc.constantFrom('visible' as const, 'visible' as const, 'hidden' as const),
})

const feedback = fc.oneof(
  fc.record({ feedback_type: fc.constant('rating'), rating: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ feedback_type: fc.constant('color_label'), color_label: fc.constantFrom(...modelColors) }),
  fc.record({ feedback_type: fc.constantFrom('like', 'favorite') }),
  fc.record({ feedback_type: fc.constant('comment'), comment_text: fc.constant('How nice') }),
) as fc.Arbitrary<{ feedback_type: string; rating?: number; color_label?: (typeof modelColors)[number] }>

const fixture = fc.record({
  photos: fc.array(photo, { minLength: 1, maxLength: 50, size: 'max' }),
  feedback: fc.array(fc.tuple(fc.nat({ max: guestCount - 1 }), fc.nat({ max: 1_000 }), feedback), {
    maxLength: 60,
    size: 'max',
  }),
  default_photo_sort: fc.constantFrom(...photoSorts),
  moderate_comments: fc.boolean(),
})

const none = fc.constant(undefined)
const anyOf = (query: readonly string[]) =>
  fc.oneof(
    none,
    fc.constantFrom('', 'all'),
    fc.shuffledSubarray([...query], { minLength: 1 }).map((some) => some.join(' , ')),
  )
const sortNames = ['upload_date', 'capture_date', 'filename', 'size', 'rating', 'manual', 'date', 'name']
const directions = ['asc', 'desc']
const withDirection = (query: readonly string[]) =>
  fc.tuple(fc.constantFrom(...query), fc.constantFrom(...directions)).map(([word, direction]) => `${word}_${direction}`)

const sorting = fc.oneof(
  fc.record({ sort: none, order: fc.constantFrom(undefined, ...directions) }),
  fc.record({ sort: fc.constantFrom(...sortNames), order: fc.constantFrom(undefined, ...directions) }),
  fc.record({ sort: withDirection(sortNames), order: none }),
)
export const searchTerm = fc.oneof(
  none,
  none,
  fc.constantFrom('', 'img', 'STRASSE', 'straße', 'FÊTE', 'é', '%', '_', '!', '\\', '.JPG', '170', '0010', 'zzz'),
  fc.constantFrom(...nameParts),
)
const paging = fc.record({
  page: fc.oneof(none, fc.integer({ min: 1, max: 9 }).map(String)),
  limit: fc.oneof(none, fc.integer({ min: 1, max: 12 }).map(String)),
})

const createQueries = (categoryIds: readonly number[]): fc.Arbitrary<GalleryModelQuery> =>
  fc
    .tuple(
      paging,
      sorting,
      fc.record({
        filter: anyOf(['liked', 'favorited', 'rated', 'commented']),
        color_label: anyOf(modelColors),
        category_id: fc.constantFrom(
          undefined,
          undefined,
          '',
          ...categoryIds.map(String),
          '999999',
          'individual',
          'collage',
          'uncategorized',
        ),
        my_min_rating: fc.oneof(none, none, fc.constantFrom('', '1', '2', '3', '4', '5')),
        media_type: fc.oneof(none, none, fc.constantFrom('', 'image', 'video')),
        search: searchTerm,
      }),
      fc.record({ group: fc.constantFrom(undefined, 'category') }),
    )
    .map((parts) => Object.assign({}, ...parts))

export type GalleryFixture = {
  event: TestEvent
  guests: TestClient[]
  model: GalleryModelPhoto[]
  categoryIds: number[]
  defaultSort: string
  areCommentsApproved: boolean
}

/** Creates a gallery of photo rows and gives feedback through the API. The same seed creates the same gallery. */
export async function createGalleryFixture(service: TestService, seed: number): Promise<GalleryFixture> {
  const [made] = fc.sample(fixture, { seed, numRuns: 1 })
  if (!made) throw new Error('No world was made')
  const { default_photo_sort: defaultSort, moderate_comments } = made
  const event = await createEvent(service.api, { default_photo_sort: defaultSort, moderate_comments })
  const categoryIds = await Promise.all(['One', 'Two'].map((category) => createCategory(service, event, category)))
  const photos = made.photos.map(({ place, ...photo }) => ({
    ...photo,
    categoryId: typeof place === 'number' ? (categoryIds[place] ?? null) : null,
    type: typeof place === 'string' ? place : null,
  }))
  // Guests cannot see hidden photos, so all photos stay visible until the feedback is given.
  const ids = await addPhotoRows(
    service,
    event.id,
    photos.map((one) => ({ ...one, visibility: 'visible' as const })),
  )
  const model = photos.map(
    (one, index): GalleryModelPhoto => ({
      ...one,
      id: ids[index] ?? 0,
      filename: getStoredName(index),
      guestFeedback: new Map(),
    }),
  )
  const guests = await Promise.all(Array.from({ length: guestCount }, () => enterAsGuest(service, event)))
  for (const [guest, at, body] of made.feedback) {
    await giveFeedback(guests[guest] as TestClient, event, model[at % model.length] as GalleryModelPhoto, guest, body)
  }
  for (const { id, visibility } of model) {
    if (visibility === 'hidden') await service.admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { visibility })
  }
  return { event, guests, model, categoryIds, defaultSort, areCommentsApproved: !moderate_comments }
}

/** Compares random lists and outlines of a gallery with the model. The same seed repeats gallery and queries. */
export async function checkGalleryLists(service: TestService, seed: number, queries: number): Promise<void> {
  const { event, guests, model, categoryIds, ...rules } = await createGalleryFixture(service, seed)
  const viewers = [...guests.keys(), null]
  const property = fc.asyncProperty(fc.constantFrom(...viewers), createQueries(categoryIds), async (guest, query) => {
    const client = guest === null ? service.admin : (guests[guest] as TestClient)
    const { status, body } = await client.get(listPath(event, query))
    const expected = modelGalleryList(model, { guest, ...rules }, query)
    const ids = body.photos?.map(({ id }: { id: number }) => id)
    expect({ status, ids, pagination: body.pagination }).toEqual({ status: 200, ...expected })

    const outline = await client.get(listPath(event, { ...query, limit: query.limit ?? '50' }, 'outline'))
    const outlined = outline.body.photos?.map(([id]: [number]) => id)
    expect({ ids: outlined, pagination: outline.body.pagination }).toEqual(expected)
    const counted = outline.body.groups?.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    if (query.group) expect([undefined, expected.pagination.filtered]).toContain(counted)
    else expect(counted).toBe(undefined)
  })
  await fc.assert(property, { seed, numRuns: queries })
}

async function createCategory(service: TestService, event: TestEvent, name: string): Promise<number> {
  const { body } = await service.admin.post('/api/admin/categories', { name, event_id: event.id })
  return body.id
}

async function giveFeedback(
  client: TestClient,
  event: TestEvent,
  photo: GalleryModelPhoto,
  guest: number,
  body: { feedback_type: string; rating?: number; color_label?: (typeof modelColors)[number] },
): Promise<void> {
  const response = await client.post(`/api/gallery/${event.slug}/photos/${photo.id}/feedback`, body)
  if (response.status !== 200) throw new Error(`The feedback was refused: ${JSON.stringify(response.body)}`)
  const before = photo.guestFeedback.get(guest) ?? noFeedback
  const { feedback_type: kind, rating = 0, color_label: color = null } = body
  const after = {
    ...before,
    ...(kind === 'rating' && { rating: rating === 0 ? null : rating }),
    ...(kind === 'color_label' && { color: color === before.color ? null : color }),
    ...(kind === 'like' && { isLiked: !before.isLiked }),
    ...(kind === 'favorite' && { isFavorite: !before.isFavorite }),
    ...(kind === 'comment' && { comments: before.comments + 1 }),
  }
  photo.guestFeedback.set(guest, after)
}

function listPath({ slug }: TestEvent, query: GalleryModelQuery, route = 'photos'): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined)
  return `/api/gallery/${slug}/${route}?${new URLSearchParams(Object.fromEntries(sent) as Record<string, string>)}`
}
