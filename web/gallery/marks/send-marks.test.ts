import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MarkResponse, Outcome } from './mark-outcome.ts'
import { createMemoryStore } from './mark-store.ts'
import { sendMarks, withMarksLock } from './send-marks.ts'
import type { MarkBody, WaitingMark } from './waiting-mark.ts'

let ids = 0
const createPick = (photoId: number, set = true, further: Partial<WaitingMark> = {}): WaitingMark => ({
  id: `mark ${++ids}`,
  slug: 'ana-ben',
  guestId: 'ana',
  photoId,
  body: { feedback_type: 'favorite', set },
  before: { feedback_type: 'favorite', set: !set },
  at: ids,
  ...further,
})

const successResponse: MarkResponse = { status: 200, body: { success: true }, retryAfter: null }
const errorResponse = (status: number, code: string, retryAfter: string | null = null): MarkResponse => {
  return { status, body: { code }, retryAfter }
}

async function sendFrom(marks: WaitingMark[], respond: (mark: WaitingMark) => MarkResponse | null, further = {}) {
  const store = createMemoryStore(marks)
  const setAside = createMemoryStore()
  const posted: WaitingMark[] = []
  const reported: Array<[number, Outcome['is']]> = []
  const sendDelay = await sendMarks({
    store,
    openSetAside: () => setAside,
    post: async (mark) => {
      posted.push(mark)
      return respond(mark)
    },
    canDrop: () => true,
    handleOutcome: (mark, { is }) => reported.push([mark.photoId, is]),
    now: () => ids + 1,
    ...further,
  })
  const toIds = (stored: WaitingMark[]) => stored.map(({ photoId }) => photoId)
  const left = toIds(await store.all())
  return { posted: toIds(posted), reported, sendDelay, left, setAside: toIds(await setAside.all()) }
}

test('sends marks one after another in the order in which they were given, and removes them', async () => {
  const picks = [createPick(3), createPick(1), createPick(2)]
  const { posted, left, sendDelay } = await sendFrom(picks, () => successResponse)
  expect([posted, left, sendDelay]).toEqual([[3, 1, 2], [], null])
})

test('keeps all marks when there is no response or a 429, and returns the requested wait', async () => {
  const marks = [createPick(1), createPick(2)]
  expect(await sendFrom(marks, () => null)).toMatchObject({ posted: [1], left: [1, 2], sendDelay: { waitMs: 0 } })
  const limited = await sendFrom(marks, () => errorResponse(429, 'RATE_LIMITED', '30'))
  expect(limited).toMatchObject({ posted: [1], left: [1, 2], sendDelay: { waitMs: 30_000 } })
})

test('keeps a mark that fails with 500 and the other marks of its photo, and sends the rest', async () => {
  const rating = { body: { feedback_type: 'rating', rating: 3 } } satisfies Partial<WaitingMark>
  const marks = [createPick(1), createPick(2), createPick(1, true, rating)]
  const respond = ({ photoId }: WaitingMark) => (photoId === 1 ? errorResponse(500, 'INTERNAL_ERROR') : successResponse)
  expect(await sendFrom(marks, respond)).toMatchObject({ posted: [1, 2], left: [1, 1], sendDelay: { waitMs: 0 } })
})

test('stops after three marks that fail with 500', async () => {
  const picks = [1, 2, 3, 4, 5].map((id) => createPick(id))
  const sent = await sendFrom(picks, () => errorResponse(500, 'INTERNAL_ERROR'))
  expect(sent).toMatchObject({ posted: [1, 2, 3], left: [1, 2, 3, 4, 5] })
})

test('drops and reports a rejected mark only when its guest is present', async () => {
  const marks = [createPick(1), createPick(2)]
  const respond = ({ photoId }: WaitingMark) => (photoId === 1 ? errorResponse(404, 'NOT_FOUND') : successResponse)
  const whenPresent = await sendFrom(marks, respond)
  expect(whenPresent).toMatchObject({ left: [], sendDelay: null })
  expect(whenPresent.reported.flat()).toEqual([1, 'refused', 2, 'taken'])
  const whenAbsent = await sendFrom(marks, respond, { canDrop: () => false })
  expect(whenAbsent).toMatchObject({ posted: [1, 2], left: [1], sendDelay: null, reported: [[2, 'taken']] })
})

test('keeps marks of another guest and of a gallery whose session is over, and sends the others', async () => {
  const marks = [createPick(1), createPick(2, true, { slug: 'other' }), createPick(3)]
  const respond = ({ slug }: WaitingMark) => (slug === 'ana-ben' ? errorResponse(401, 'NO_TOKEN') : successResponse)
  expect(await sendFrom(marks, respond)).toMatchObject({ posted: [1, 2], left: [1, 3], sendDelay: null })
  const foreign = [createPick(1, true, { guestId: 'ben' }), createPick(2)]
  const forbid = ({ guestId }: WaitingMark) => (guestId === 'ben' ? errorResponse(403, 'FORBIDDEN') : successResponse)
  expect(await sendFrom(foreign, forbid)).toMatchObject({ posted: [1, 2], left: [1], sendDelay: null })
})

test('sets all marks of a guest and a gallery aside when the picks are locked, also in the worker, and sends the others', async () => {
  const mark = (photoId: number, further = {}) => createPick(photoId, true, further)
  const marks = [mark(1), mark(2, { slug: 'other' }), mark(3, { guestId: 'ben' }), mark(4)]
  const respond = ({ slug, guestId }: WaitingMark) =>
    slug === 'ana-ben' && guestId === 'ana' ? errorResponse(409, 'SELECTION_LOCKED') : successResponse
  for (const canDrop of [() => true, () => false]) {
    const sent = await sendFrom(marks, respond, { canDrop })
    expect(sent).toMatchObject({ posted: [1, 2, 3], left: [], setAside: [1, 4], sendDelay: null })
    expect(sent.reported.flat()).toEqual([1, 'locked', 4, 'locked', 2, 'taken', 3, 'taken'])
  }
})

test('keeps marks waiting that cannot be set aside', async () => {
  const openSetAside = () => ({ ...createMemoryStore(), put: () => Promise.reject(new Error('no space')) })
  const store = createMemoryStore([createPick(1)])
  const post = async () => errorResponse(409, 'SELECTION_LOCKED')
  const handlers = { canDrop: () => true, handleOutcome: () => undefined, now: () => ids }
  const sent = sendMarks({ store, openSetAside, post, ...handlers })
  await expect(sent).rejects.toThrow('no space')
  expect(await store.all()).toHaveLength(1)
})

test('sends the new value of a mark that was changed during its request', async () => {
  const store = createMemoryStore([createPick(1)])
  const posted: MarkBody[] = []
  await sendMarks({
    store,
    openSetAside: createMemoryStore,
    post: async ({ body }) => {
      posted.push(body)
      if (posted.length === 1) await store.put(createPick(1, false))
      return successResponse
    },
    canDrop: () => true,
    handleOutcome: () => undefined,
    now: () => ids,
  })
  expect(posted.map(({ set }) => set)).toEqual([true, false])
  expect(await store.all()).toEqual([])
})

test('drops marks without sending them after 90 days', async () => {
  const now = () => 91 * 86_400_000
  const sent = await sendFrom([createPick(1, true, { at: 0 })], () => successResponse, { now })
  expect(sent).toMatchObject({ posted: [], left: [] })
})

const photos = fc.integer({ min: 1, max: 3 })
const step = fc.oneof(
  fc.record({ do: fc.constant('mark' as const), photoId: photos, rating: fc.integer({ min: 0, max: 5 }) }),
  fc.record({
    do: fc.constant('send' as const),
    fates: fc.array(fc.constantFrom('yes', 'lost', 'unheard', 'busy', 'stumbles')),
  }),
)

/** A fake service that applies each idempotency key only once. */
function createFakeService() {
  const keys = new Set<string>()
  const ratings = new Map<number, number>()
  const applied: Array<[number, number]> = []
  return {
    ratings,
    applied,
    take({ id, photoId, body: { rating } }: WaitingMark) {
      if (keys.has(id)) return
      keys.add(id)
      if ((ratings.get(photoId) ?? 0) === rating) return
      ratings.set(photoId, rating ?? 0)
      applied.push([photoId, rating ?? 0])
    },
  }
}

test('applies the last mark of each photo, and no mark twice, despite errors and several windows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const store = createMemoryStore()
      const service = createFakeService()
      const shown = new Map<number, number>()
      const givenRatings = new Map<number, number[]>()
      const send = (fates: string[] = []) =>
        withMarksLock(() =>
          sendMarks({
            store,
            openSetAside: createMemoryStore,
            post: async (mark) => {
              const fate = fates.shift() ?? 'yes'
              if (fate === 'yes' || fate === 'unheard') service.take(mark)
              await null
              if (fate === 'busy') return errorResponse(503, 'UNAVAILABLE', '1')
              if (fate === 'stumbles') return errorResponse(500, 'INTERNAL_ERROR')
              return fate === 'yes' ? successResponse : null
            },
            canDrop: () => true,
            handleOutcome: () => undefined,
            now: () => ids,
          }),
        )
      const runs: Array<Promise<unknown>> = []
      for (const one of steps) {
        if (one.do === 'send') runs.push(send([...one.fates]))
        else {
          const { photoId, rating } = one
          shown.set(photoId, rating)
          givenRatings.set(photoId, [...(givenRatings.get(photoId) ?? []), rating])
          await store.put(createPick(photoId, true, { body: { feedback_type: 'rating', rating } }))
        }
      }
      await Promise.all(runs)
      await send()
      expect(await store.all()).toEqual([])
      for (const [photoId, rating] of shown) expect(service.ratings.get(photoId) ?? 0).toBe(rating)
      // The service may miss some ratings of a photo, but it applies the others in the order in which they were given.
      for (const [photoId, given] of givenRatings) {
        const reported = service.applied.filter(([id]) => id === photoId).map(([, rating]) => rating)
        let from = 0
        for (const rating of reported) {
          const place = given.indexOf(rating, from)
          expect(place).toBeGreaterThanOrEqual(from)
          from = place + 1
        }
      }
    }),
    { numRuns: 100 },
  )
})
