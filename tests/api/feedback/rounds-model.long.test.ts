import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service
const photoCount = 5
const { id: originalId } = await createEvent(api)
const [photoId] = await uploadPhotos(api, originalId, 1)

let event: TestEvent
let ids: number[]

/** Each run has an event of its own, with copies of the photo. */
async function openEvent(): Promise<void> {
  event = await createEvent(api)
  await changeDatabase(service, (stored) => {
    ids = copyRow(stored, 'photos', photoId, photoCount, {
      event_id: String(event.id),
      filename: 'n.value || photos.filename',
    })
  })
}

type Act =
  | { act: 'pick'; guest: number; photo: number; set: boolean }
  | { act: 'rate'; guest: number; photo: number; rating: number }
  | { act: 'submit'; guest: number; seen: 'none' | 'now' | 'before' }
  | { act: 'accept'; guest: number }
  | { act: 'ask'; guest: number }
  | { act: 'reopen'; guest: number; maximum: number | null }
  | { act: 'unpick'; guest: number; photo: number }
  | { act: 'merge'; from: number; into: number }
  | { act: 'package'; minimum: number; maximum: number | null; locks: boolean }
  | { act: 'remove' }

const guest = fc.nat({ max: 2 })
const photo = fc.nat({ max: photoCount - 1 })
const maximum = fc.option(fc.integer({ min: 1, max: photoCount }))
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant('pick' as const), guest, photo, set: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('rate' as const), guest, photo, rating: fc.nat({ max: 5 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('submit' as const),
      guest,
      seen: fc.constantFrom('none' as const, 'now' as const, 'before' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('accept' as const), guest }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('ask' as const), guest }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('reopen' as const), guest, maximum }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('unpick' as const), guest, photo }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('merge' as const), from: guest, into: guest }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('package' as const),
      minimum: fc.nat({ max: 1 }),
      maximum,
      locks: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'remove' as const }) },
)

type Round = { number: number; state: string; minimum: number; maximum: number | null }

/** What a guest has, as the model expects it. Guests who were merged share one. */
type Chooser = {
  picks: Set<number>
  ratings: Map<number, number>
  round: Round | null
  rounds: number
  hasSent: boolean
  selections: number
}

/** What one submission must have stored: the picks with their ratings. */
type Sent = { round: number; photos: Array<[number, number | null]> }

class Model {
  terms: { minimum: number; maximum: number | null; locks: boolean } | null = null
  choosers: Chooser[] = [0, 1, 2].map(() => ({
    picks: new Set(),
    ratings: new Map(),
    round: null,
    rounds: 0,
    hasSent: false,
    selections: 0,
  }))
  sent: Sent[] = []

  of(index: number): Chooser {
    return this.choosers[index] as Chooser
  }

  isSent = ({ round }: Chooser): boolean =>
    this.terms !== null && (round?.state === 'submitted' || round?.state === 'locked')

  start(chooser: Chooser, numbers: Pick<Round, 'minimum' | 'maximum'>, state = 'open'): Round {
    chooser.rounds++
    chooser.round = { number: chooser.rounds, state, minimum: numbers.minimum, maximum: numbers.maximum }
    return chooser.round
  }

  /** Returns the expected code of an error, or null. */
  apply(act: Act): string | null {
    if (act.act === 'package') {
      const { minimum, maximum, locks } = act
      if (this.terms === null) {
        for (const chooser of new Set(this.choosers))
          if (chooser.picks.size > 0) this.start(chooser, { minimum, maximum })
      } else {
        for (const { round } of this.choosers) if (round?.state === 'open') Object.assign(round, { minimum, maximum })
      }
      this.terms = { minimum, maximum, locks }
      return null
    }
    if (act.act === 'remove') {
      this.terms = null
      for (const chooser of new Set(this.choosers)) {
        if (chooser.round?.state === 'open') chooser.rounds--
        chooser.round = null
        chooser.hasSent = false
      }
      return null
    }
    if (act.act === 'merge') return this.merge(this.of(act.from), this.of(act.into))
    const chooser = this.of(act.guest)
    if (act.act === 'pick' || act.act === 'unpick') return this.pick(chooser, act.photo, act.act === 'pick' && act.set)
    if (act.act === 'rate') {
      if (this.isSent(chooser)) return 'SELECTION_LOCKED'
      if (act.rating === 0) chooser.ratings.delete(act.photo)
      else chooser.ratings.set(act.photo, act.rating)
      return null
    }
    if (act.act === 'submit') {
      const refusal = this.submit(chooser, act.seen)
      if (refusal === null) chooser.selections++
      return refusal
    }
    if (!this.isSent(chooser) || !chooser.round) return 'INVALID_STATE'
    if (act.act === 'ask') return null
    if (act.act === 'accept') {
      if (chooser.round.state !== 'submitted') return 'INVALID_STATE'
      chooser.round.state = 'locked'
      return null
    }
    const { minimum } = chooser.round
    this.start(chooser, { minimum: Math.min(minimum, act.maximum ?? minimum), maximum: act.maximum }, 'reopened')
    return null
  }

  pick(chooser: Chooser, photo: number, isPicked: boolean): string | null {
    if (this.isSent(chooser)) return 'SELECTION_LOCKED'
    if (chooser.picks.has(photo) === isPicked) return null
    if (this.terms) {
      const { maximum } = chooser.round ?? this.terms
      if (isPicked && maximum !== null && chooser.picks.size >= maximum) return 'SELECTION_LIMIT_REACHED'
      if (!chooser.round) this.start(chooser, this.terms)
    }
    if (isPicked) chooser.picks.add(photo)
    else chooser.picks.delete(photo)
    return null
  }

  submit(chooser: Chooser, seen: string): string | null {
    // Without a package and without favorites, high ratings are the picks.
    if (this.terms === null)
      return chooser.picks.size > 0 || [...chooser.ratings.values()].some((stars) => stars > 3)
        ? null
        : 'NOTHING_SELECTED'
    if (chooser.picks.size === 0) return 'NOTHING_SELECTED'
    if (this.isSent(chooser)) return 'SELECTION_LOCKED'
    if (seen === 'before') return 'SELECTION_CHANGED'
    const round = chooser.round ?? this.start(chooser, this.terms)
    const count = chooser.picks.size
    if (count < round.minimum) return 'SELECTION_TOO_SMALL'
    if (round.maximum !== null && count > round.maximum) return 'SELECTION_LIMIT_REACHED'
    round.state = this.terms.locks ? 'locked' : 'submitted'
    chooser.hasSent = true
    const photos = [...chooser.picks].sort((a, b) => a - b)
    this.sent.push({
      round: round.number,
      photos: photos.map((one) => [ids[one] ?? 0, chooser.ratings.get(one) ?? null]),
    })
    return null
  }

  /** Only called for guests whose ratings do not meet. */
  merge(from: Chooser, into: Chooser): string | null {
    const hasMarks = from.picks.size + from.ratings.size > 0 || from.selections > 0
    if (this.terms && (from.hasSent || into.hasSent) && hasMarks) return 'SELECTION_LOCKED'
    into.selections += from.selections
    for (const photo of from.picks) into.picks.add(photo)
    for (const [photo, rating] of from.ratings) into.ratings.set(photo, rating)
    if (!into.round && from.round) into.round = { ...from.round, number: ++into.rounds }
    this.choosers = this.choosers.map((one) => (one === from ? into : one))
    return null
  }
}

test('2,000 random runs of three guests and an operator do what the model does', { timeout: 1_800_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 20 }), async (acts) => {
      await openEvent()
      const path = `/api/admin/events/${event.id}`
      const guests = await Promise.all([0, 1, 2].map(() => enterAsGuest(service, event)))
      const guestIds = await Promise.all(
        guests.map(async (one) => (await one.get(`/api/gallery/${event.slug}/session`)).body.guest.id as string),
      )
      const model = new Model()
      for (const act of [{ act: 'package', minimum: 1, maximum: 3, locks: true } as const, ...acts]) {
        if (act.act === 'merge' && !canMerge(model, act.from, act.into)) continue
        const expected = model.apply(act)
        const { status, body } = await run(act, { guests, guestIds, path })
        if (act.act === 'unpick' && status === 404) continue
        const code = status < 300 ? null : (body.code as string)
        if (code !== expected && !isSameRefusal(act, code, expected)) {
          expect({ act, code }).toEqual({ act, code: expected })
        }
      }
      for (const [index, one] of guests.entries()) await expectState(model, index, one)
      expect(readSnapshots(guestIds)).toEqual(model.sent)
    }),
    { numRuns: 2_000 },
  )
})

/** A merged guest cannot be merged again, and of two ratings the newer one stays, which takes more than the model. */
function canMerge(model: Model, from: number, into: number): boolean {
  const [one, other] = [model.of(from), model.of(into)]
  const isFirst = new Set(model.choosers).size === 3
  const isUsed = ({ picks, ratings, rounds }: Chooser) => picks.size + ratings.size + rounds > 0
  // Ended rounds get other numbers, and guests without anything are unknown.
  const isPlain = ({ rounds, round }: Chooser) => rounds === (round ? 1 : 0)
  const meets = [...one.ratings.keys()].some((photo) => other.ratings.has(photo))
  return isFirst && from !== into && isUsed(one) && isUsed(other) && isPlain(one) && isPlain(other) && !meets
}

/** Accepting and asking are refused alike if nothing is sent, whether there is a round or not. */
const isSameRefusal = ({ act }: Act, code: string | null, expected: string | null): boolean =>
  (act === 'accept' || act === 'reopen') && expected === 'INVALID_STATE' && code === 'NOT_FOUND'

type Setting = { guests: TestClient[]; guestIds: string[]; path: string }

async function run(
  act: Act,
  { guests, guestIds, path }: Setting,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const gallery = `/api/gallery/${event.slug}`
  if (act.act === 'package') {
    const { minimum, maximum, locks } = act
    return admin.put(`${path}/package`, { purpose: 'Album', included: 2, minimum, maximum, locks_on_submission: locks })
  }
  if (act.act === 'remove') return admin.delete(`${path}/package`)
  if (act.act === 'merge')
    return admin.post(`${path}/guests/merge`, { from: guestIds[act.from], into: guestIds[act.into] })
  const one = guests[act.guest] as TestClient
  if (act.act === 'pick') {
    return one.post(`${gallery}/photos/${ids[act.photo]}/feedback`, { feedback_type: 'favorite', set: act.set })
  }
  if (act.act === 'rate') {
    return one.post(`${gallery}/photos/${ids[act.photo]}/feedback`, { feedback_type: 'rating', rating: act.rating })
  }
  if (act.act === 'ask') return one.post(`${gallery}/round/reopening`, {})
  const own = (await one.get(`${gallery}/session`)).body.guest.id as string
  if (act.act === 'submit') {
    if (act.seen === 'none') return one.post(`${gallery}/selection`, {})
    const { round } = (await one.get(`${gallery}/round`)).body
    const revision = (round?.revision ?? 0) + (act.seen === 'before' ? 1 : 0)
    return one.post(`${gallery}/selection`, { revision })
  }
  if (act.act === 'unpick') {
    const id = readDatabase(service, (stored) =>
      stored
        .prepare("select id from feedback where guest_id = ? and photo_id = ? and kind = 'favorite'")
        .pluck()
        .get(own, ids[act.photo]),
    )
    return id === undefined ? { status: 404, body: {} } : admin.delete(`/api/admin/feedback/${id}`)
  }
  const { rounds } = (await admin.get(`${path}/rounds?current=true&limit=200`)).body
  const round = rounds.find((candidate: { guest: { id: string } }) => candidate.guest.id === own)
  if (!round) return { status: 404, body: { code: 'NOT_FOUND' } }
  if (act.act === 'accept') return admin.post(`${path}/rounds/${round.id}/accept`, undefined)
  return admin.post(`${path}/rounds/${round.id}/reopen`, { message: 'Again', maximum: act.maximum })
}

async function expectState(model: Model, index: number, one: TestClient) {
  const { picks, round, rounds } = model.of(index)
  const { body } = await one.get(`/api/gallery/${event.slug}/round`)
  if (model.terms === null) return expect(body.round).toBeNull()
  const { minimum, maximum } = round ?? model.terms
  const state = round?.state ?? 'open'
  expect(body.round).toMatchObject({ state, minimum, maximum, count: picks.size, number: round?.number ?? rounds + 1 })
}

const readSnapshots = (guestIds: string[]): Sent[] =>
  readDatabase(service, (stored) =>
    stored
      .prepare(
        `select snapshot from selections where guest_id in (${guestIds.map(() => '?')}) and snapshot is not null order by id`,
      )
      .pluck()
      .all(...guestIds)
      .map((text) => JSON.parse(text as string)),
  ).map(({ round, photos }) => ({
    round,
    photos: photos.map((one: { id: number; rating: number | null }) => [one.id, one.rating]),
  }))
