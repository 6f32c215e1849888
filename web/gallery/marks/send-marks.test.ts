import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Answer, Outcome } from './mark-answers.ts'
import { storeOfPage } from './mark-store.ts'
import { alone, sendMarks } from './send-marks.ts'
import type { MarkBody, WaitingMark } from './waiting-mark.ts'

let ids = 0
const pickOf = (photoId: number, set = true, further: Partial<WaitingMark> = {}): WaitingMark => ({
  id: `mark ${++ids}`,
  slug: 'ana-ben',
  guestId: 'ana',
  photoId,
  body: { feedback_type: 'favorite', set },
  before: { feedback_type: 'favorite', set: !set },
  at: ids,
  ...further,
})

const yes: Answer = { status: 200, body: { success: true }, retryAfter: null }
const no = (status: number, code: string, retryAfter: string | null = null): Answer => ({
  status,
  body: { code },
  retryAfter,
})

async function sending(marks: WaitingMark[], answers: (mark: WaitingMark) => Answer | null, further = {}) {
  const store = storeOfPage(marks)
  const posted: WaitingMark[] = []
  const reported: Array<[number, Outcome['is']]> = []
  const heldUp = await sendMarks({
    store,
    post: async (mark) => {
      posted.push(mark)
      return answers(mark)
    },
    mayDrop: () => true,
    handleOutcome: (mark, { is }) => reported.push([mark.photoId, is]),
    now: () => ids + 1,
    ...further,
  })
  const left = (await store.all()).map(({ photoId }) => photoId)
  return { posted: posted.map(({ photoId }) => photoId), reported, heldUp, left }
}

test('sends marks one after another in the order given and removes them', async () => {
  const { posted, left, heldUp } = await sending([pickOf(3), pickOf(1), pickOf(2)], () => yes)
  expect([posted, left, heldUp]).toEqual([[3, 1, 2], [], null])
})

test('keeps all marks without a response and at 429, and returns the requested wait', async () => {
  const marks = [pickOf(1), pickOf(2)]
  expect(await sending(marks, () => null)).toMatchObject({ posted: [1], left: [1, 2], heldUp: { waitMs: 0 } })
  const limited = await sending(marks, () => no(429, 'RATE_LIMITED', '30'))
  expect(limited).toMatchObject({ posted: [1], left: [1, 2], heldUp: { waitMs: 30_000 } })
})

test('keeps a mark that fails with 500, with all marks of its photo, and sends the others', async () => {
  const rating = { body: { feedback_type: 'rating', rating: 3 } } satisfies Partial<WaitingMark>
  const marks = [pickOf(1), pickOf(2), pickOf(1, true, rating)]
  const answers = ({ photoId }: WaitingMark) => (photoId === 1 ? no(500, 'INTERNAL_ERROR') : yes)
  expect(await sending(marks, answers)).toMatchObject({ posted: [1, 2], left: [1, 1], heldUp: { waitMs: 0 } })
})

test('stops after three marks that fail with 500', async () => {
  const { posted, left } = await sending(
    [1, 2, 3, 4, 5].map((id) => pickOf(id)),
    () => no(500, 'INTERNAL_ERROR'),
  )
  expect([posted, left]).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4, 5],
  ])
})

test('drops and reports a rejected mark only when its guest is present', async () => {
  const marks = [pickOf(1), pickOf(2)]
  const answers = ({ photoId }: WaitingMark) => (photoId === 1 ? no(404, 'NOT_FOUND') : yes)
  const there = await sending(marks, answers)
  expect(there).toMatchObject({
    left: [],
    heldUp: null,
    reported: [
      [1, 'refused'],
      [2, 'taken'],
    ],
  })
  const nobody = await sending(marks, answers, { mayDrop: () => false })
  expect(nobody).toMatchObject({ posted: [1, 2], left: [1], heldUp: null, reported: [[2, 'taken']] })
})

test('keeps the marks of a gallery whose session is over and sends the others', async () => {
  const marks = [pickOf(1), pickOf(2, true, { slug: 'other' }), pickOf(3)]
  const answers = ({ slug }: WaitingMark) => (slug === 'ana-ben' ? no(401, 'NO_TOKEN') : yes)
  expect(await sending(marks, answers)).toMatchObject({ posted: [1, 2], left: [1, 3], heldUp: null })
})

test('keeps marks of another guest', async () => {
  const marks = [pickOf(1, true, { guestId: 'ben' }), pickOf(2)]
  const answers = ({ guestId }: WaitingMark) => (guestId === 'ben' ? no(403, 'FORBIDDEN') : yes)
  expect(await sending(marks, answers)).toMatchObject({ posted: [1, 2], left: [1], heldUp: null })
})

test('sends a mark again that was changed during its request', async () => {
  const store = storeOfPage([pickOf(1)])
  const posted: MarkBody[] = []
  await sendMarks({
    store,
    post: async ({ body }) => {
      posted.push(body)
      if (posted.length === 1) await store.put(pickOf(1, false))
      return yes
    },
    mayDrop: () => true,
    handleOutcome: () => undefined,
    now: () => ids,
  })
  expect(posted.map(({ set }) => set)).toEqual([true, false])
  expect(await store.all()).toEqual([])
})

test('drops marks unsent after 90 days', async () => {
  const { posted, left } = await sending([pickOf(1, true, { at: 0 })], () => yes, { now: () => 91 * 86_400_000 })
  expect([posted, left]).toEqual([[], []])
})

const photos = fc.integer({ min: 1, max: 3 })
const step = fc.oneof(
  fc.record({ do: fc.constant('mark' as const), photoId: photos, rating: fc.integer({ min: 0, max: 5 }) }),
  fc.record({
    do: fc.constant('send' as const),
    fates: fc.array(fc.constantFrom('yes', 'lost', 'unheard', 'busy', 'stumbles')),
  }),
)

/** A fake service: each key is applied once, and the last value counts. */
function serviceOf() {
  const keys = new Set<string>()
  const ratings = new Map<number, number>()
  const told: Array<[number, number]> = []
  return {
    ratings,
    told,
    take({ id, photoId, body: { rating } }: WaitingMark) {
      if (keys.has(id)) return
      keys.add(id)
      if ((ratings.get(photoId) ?? 0) === rating) return
      ratings.set(photoId, rating ?? 0)
      told.push([photoId, rating ?? 0])
    },
  }
}

test('gives each photo its last mark, and none twice, whatever fails and from several windows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const store = storeOfPage()
      const service = serviceOf()
      const shown = new Map<number, number>()
      const givenRatings = new Map<number, number[]>()
      const send = (fates: string[] = []) =>
        alone(() =>
          sendMarks({
            store,
            post: async (mark) => {
              const fate = fates.shift() ?? 'yes'
              if (fate === 'yes' || fate === 'unheard') service.take(mark)
              await null
              if (fate === 'busy') return no(503, 'UNAVAILABLE', '1')
              if (fate === 'stumbles') return no(500, 'INTERNAL_ERROR')
              return fate === 'yes' ? yes : null
            },
            mayDrop: () => true,
            handleOutcome: () => undefined,
            now: () => ids,
          }),
        )
      const sendings: Array<Promise<unknown>> = []
      for (const one of steps) {
        if (one.do === 'send') sendings.push(send([...one.fates]))
        else {
          const { photoId, rating } = one
          shown.set(photoId, rating)
          givenRatings.set(photoId, [...(givenRatings.get(photoId) ?? []), rating])
          await store.put(pickOf(photoId, true, { body: { feedback_type: 'rating', rating } }))
        }
      }
      await Promise.all(sendings)
      await send()
      expect(await store.all()).toEqual([])
      for (const [photoId, rating] of shown) expect(service.ratings.get(photoId) ?? 0).toBe(rating)
      // The service received some of the marks of a photo, in the order in which they were given.
      for (const [photoId, wished] of givenRatings) {
        const reported = service.told.filter(([id]) => id === photoId).map(([, rating]) => rating)
        let from = 0
        for (const rating of reported) {
          const place = wished.indexOf(rating, from)
          expect(place).toBeGreaterThanOrEqual(from)
          from = place + 1
        }
      }
    }),
    { numRuns: 300 },
  )
})
