import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestClient } from '../clients/test-client.ts'
import { addPhotoRows } from '../database/photo-rows.ts'
import { type Account, createAccount } from '../fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../fixtures/events.ts'
import type { TestService } from '../service/test-service.ts'
import { type ModelPhoto, type ModelQuery, modelColors, modelList } from './photo-list-model.ts'

const guestCount = 5
const accountCount = 3

const color = fc.constantFrom(...modelColors)
const by = (count: number) => fc.nat({ max: count - 1 })
/** The index of a photo. It is used modulo the number of photos. */
const photoIndex = fc.nat({ max: 1_000 })

const feedback = fc.oneof(
  { weight: 4, arbitrary: fc.record({ feedback_type: fc.constant('rating'), rating: fc.integer({ min: 0, max: 5 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ feedback_type: fc.constant('color_label'), color_label: fc.option(color, { freq: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ feedback_type: fc.constant('like') }) },
  { weight: 1, arbitrary: fc.record({ feedback_type: fc.constant('favorite') }) },
)
type Feedback = { feedback_type: string; rating?: number; color_label?: (typeof modelColors)[number] | null }

const ownMark = fc.record(
  { rating: fc.option(fc.integer({ min: 1, max: 5 })), color_label: fc.option(color) },
  { requiredKeys: [] },
)

/**
 * Photos, some of them hidden or with equal times, and the feedback and marks for them in the order of their requests.
 */
const photoListData = fc.record({
  photos: fc.array(
    fc.record({
      uploadedAt: fc.nat({ max: 30 }).map((seconds) => 1_700_000_000_000 + seconds * 1000),
      visibility: fc.constantFrom('visible', 'visible', 'visible', 'hidden'),
    }),
    { minLength: 1, maxLength: 70, size: 'max' },
  ),
  feedback: fc.array(fc.tuple(by(guestCount), photoIndex, feedback as fc.Arbitrary<Feedback>), {
    maxLength: 160,
    size: 'max',
  }),
  marks: fc.array(fc.tuple(by(accountCount), photoIndex, ownMark), { maxLength: 60, size: 'max' }),
})
type PhotoListData = typeof photoListData extends fc.Arbitrary<infer T> ? T : never

const none = fc.constant(undefined)
const colorLists = fc.oneof(
  none,
  fc.constantFrom('', 'all'),
  fc.subarray([...modelColors], { minLength: 1 }).map((colors) => colors.join(',')),
  fc.shuffledSubarray([...modelColors], { minLength: 1 }).map((colors) => colors.join(' , ')),
)
const stars = (min: number) =>
  fc.oneof(
    none,
    fc.constantFrom('', min === 0 ? '0' : '1'),
    fc.integer({ min, max: 5 }).map(String),
    fc.integer({ min: min * 100, max: 500 }).map((hundredths) => String(hundredths / 100)),
  )

/** Each parameter is omitted, empty where that is allowed, or has an allowed value. */
const query: fc.Arbitrary<ModelQuery> = fc.record({
  page: fc.oneof({ weight: 3, arbitrary: none }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 9 }).map(String) }),
  limit: fc.oneof(none, fc.integer({ min: 1, max: 12 }).map(String), fc.integer({ min: 1, max: 100 }).map(String)),
  marked_only: fc.constantFrom(undefined, 'true', 'false'),
  mark_source: fc.constantFrom(undefined, 'client', 'mine', 'either'),
  color_labels: colorLists,
  my_color_labels: colorLists,
  min_rating: stars(0),
  my_min_rating: stars(1),
  logic: fc.constantFrom(undefined, 'AND', 'OR'),
})

/** Creates accounts that may see every event, so that each of them can mark the photos of all events. */
export const createListReaders = (service: TestService): Promise<Account[]> =>
  Promise.all(Array.from({ length: accountCount }, () => createAccount(service, 'super_admin')))

/** Compares random lists of an event with the model. A failure reports the query and the seed of photos and marks. */
export async function checkPhotoLists(
  service: TestService,
  readers: readonly Account[],
  seed: number,
  queries: number,
) {
  const [generated] = fc.sample(photoListData, { seed, numRuns: 1 }) as [PhotoListData]
  const event = await createEvent(service.api)
  // Guests cannot see hidden photos, so all photos stay visible until the feedback is given.
  const allVisible = generated.photos.map((photo) => ({ ...photo, visibility: 'visible' as const }))
  const ids = await addPhotoRows(service, event.id, allVisible)
  const model: ModelPhoto[] = generated.photos.map((photo, index) => ({
    ...photo,
    id: ids[index] ?? 0,
    guests: new Map(),
    accounts: new Map(),
  }))
  await giveFeedback(service, event, model, generated.feedback)
  await setMarks(event, model, readers, generated.marks)
  // A photo that is hidden later keeps its marks.
  for (const { id, visibility } of model) {
    if (visibility === 'hidden') await service.admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { visibility })
  }

  const property = fc.asyncProperty(by(accountCount), query, async (reader, parameters) => {
    const { status, body } = await (readers[reader] as Account).api.get(listPath(event, parameters))
    const expected = modelList(model, reader, parameters)
    const { next, ...pagination } = body.pagination
    expect({ status, pagination }).toEqual({ status: 200, pagination: expected.pagination })
    expect(next !== null).toBe(pagination.page < pagination.pages)
    expect(body.photos.map((photo: object, index: number) => pickKeysOf(photo, expected.photos[index]))).toEqual(
      expected.photos,
    )
  })
  await fc.assert(property, { seed, numRuns: queries })
}

async function giveFeedback(
  service: TestService,
  event: TestEvent,
  model: ModelPhoto[],
  given: PhotoListData['feedback'],
) {
  const guests = await Promise.all(Array.from({ length: guestCount }, () => enterAsGuest(service, event)))
  await runPerActor(given, async ([guest, at, body]) => {
    const photo = model[at % model.length] as ModelPhoto
    const path = `/api/gallery/${event.slug}/photos/${photo.id}/feedback`
    const response = await (guests[guest] as TestClient).post(path, body)
    if (response.status !== 200) throw new Error(`The feedback was refused: ${JSON.stringify(response.body)}`)
    const before = photo.guests.get(guest) ?? { rating: null, color: null, isLiked: false, isFavorite: false }
    const { feedback_type: kind, rating = 0, color_label: color = null } = body
    if (kind === 'rating') photo.guests.set(guest, { ...before, rating: rating === 0 ? null : rating })
    if (kind === 'color_label') photo.guests.set(guest, { ...before, color: color === before.color ? null : color })
    if (kind === 'like') photo.guests.set(guest, { ...before, isLiked: !before.isLiked })
    if (kind === 'favorite') photo.guests.set(guest, { ...before, isFavorite: !before.isFavorite })
  })
}

async function setMarks(
  event: TestEvent,
  model: ModelPhoto[],
  readers: readonly Account[],
  marks: PhotoListData['marks'],
) {
  await runPerActor(marks, async ([account, at, { rating, color_label: color }]) => {
    const photo = model[at % model.length] as ModelPhoto
    const path = `/api/admin/photos/${event.id}/photos/${photo.id}/mark`
    const response = await (readers[account] as Account).admin.put(path, { rating, color_label: color })
    if (response.status !== 200) throw new Error(`The mark was refused: ${JSON.stringify(response.body)}`)
    const before = photo.accounts.get(account) ?? { rating: null, color: null }
    photo.accounts.set(account, {
      rating: rating === undefined ? before.rating : rating,
      color: color === undefined ? before.color : color,
    })
  })
}

/** Runs the operations of each guest or account in order. Different guests and accounts run concurrently. */
async function runPerActor<T extends readonly [number, ...unknown[]]>(
  operations: readonly T[],
  run: (operation: T) => Promise<void>,
) {
  const actors = Map.groupBy(operations, ([actor]) => actor)
  await Promise.all(
    [...actors.values()].map(async (own) => {
      for (const operation of own) await run(operation)
    }),
  )
}

function listPath({ id }: TestEvent, parameters: ModelQuery): string {
  const sent = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return `/api/v1/events/${id}/photos?${new URLSearchParams(Object.fromEntries(sent) as Record<string, string>)}`
}

const pickKeysOf = (photo: object, model: object | undefined) =>
  Object.fromEntries(Object.entries(photo).filter(([key]) => model === undefined || key in model))
