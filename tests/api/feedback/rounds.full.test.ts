import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Dashboard } from '../../../contract/instance/dashboard.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api } = service
await createTestWebhook(service, { events: ['selection.submitted', 'selection.reopened'] })

let event: TestEvent
let ids: number[]
let ana: TestClient
beforeEach(() => openEvent())

async function openEvent(body: Record<string, unknown> = {}, count = 4) {
  event = await createEvent(api, { moderate_comments: false, ...body })
  ids = await uploadPhotos(api, event.id, count)
  ana = await enterAsGuest(service, event)
}

const album = { purpose: 'Album', included: 2, minimum: 1, maximum: 3, extra_text: '12 €' }
const adminPath = (rest: string) => `/api/admin/events/${event.id}${rest}`
const setPackage = (body: object = album) => admin.put(adminPath('/package'), body)
const gallery = (rest: string) => `/api/gallery/${event.slug}${rest}`
const give = (guest: TestClient, photo: number, body: object) =>
  guest.post(gallery(`/photos/${ids[photo]}/feedback`), body)
const pick = (guest: TestClient, photo: number, set = true) => give(guest, photo, { feedback_type: 'favorite', set })
const submit = (guest: TestClient, body: object = {}, headers = {}) => guest.post(gallery('/selection'), body, headers)
const roundOf = async (guest: TestClient) => (await guest.get(gallery('/round'))).body.round
const listRounds = async (query = '') => (await admin.get(adminPath(`/rounds${query}`))).body.rounds
const currentRound = async () => (await listRounds('?current=true'))[0]
const act = async (verb: string, body?: object) =>
  admin.post(adminPath(`/rounds/${(await currentRound()).id}/${verb}`), body)
const guestIdOf = async (guest: TestClient) => (await guest.get(gallery('/session'))).body.guest.id as string
const snapshots = () =>
  readDatabase(service, (stored) =>
    stored
      .prepare('select number, snapshot, people, content_sha256 from selections where event_id = ? order by id')
      .all(event.id),
  ) as Array<{ number: number; snapshot: string; people: string; content_sha256: string }>

test('a package is off until it is set, has bounds, needs favorites, and can be removed', async () => {
  expect((await admin.get(adminPath('/package'))).body).toEqual({ package: null })
  expect(await roundOf(ana)).toBeNull()
  for (const [field, body] of [
    ['minimum', { ...album, minimum: 4 }],
    ['included', { ...album, included: -1 }],
    ['maximum', { ...album, maximum: 0 }],
    ['due_on', { ...album, due_on: '2027-02-30' }],
    ['time_zone', { ...album, time_zone: 'Moon/Base' }],
    ['mode', { ...album, mode: 'together' }],
    ['purpose', { ...album, purpose: ' ' }],
  ] as const) {
    expectInvalidField(await setPackage(body), field)
  }
  const stored = { ...album, due_on: '2027-05-12', time_zone: 'Europe/Berlin', mode: 'each', locks_on_submission: true }
  expect((await setPackage(stored)).body).toEqual({ package: stored })
  expect((await api.get(`/api/v1/events/${event.id}/package`)).body).toEqual({ package: stored })
  expectProblem(await admin.put(`/api/admin/events/${event.id}`, { allow_favorites: false }), 409, 'INVALID_STATE')
  expect((await admin.call('DELETE', adminPath('/package'))).body).toEqual({ package: null })
  expect((await admin.put(`/api/admin/events/${event.id}`, { allow_favorites: false })).status).toBe(200)
  expectProblem(await setPackage(), 409, 'INVALID_STATE')
})

test('picks are counted, limited, and refused in the order of the design', { tags: 'database' }, async () => {
  await setPackage()
  expect(await roundOf(ana)).toEqual({
    ...{ number: 1, state: 'open', purpose: 'Album', extra_text: '12 €', included: 2, minimum: 1, maximum: 3 },
    ...{ due_on: null, time_zone: 'UTC', count: 0, extra_count: 0, revision: 0, message: null, before_number: null },
    ...{ locks_on_submission: true, is_reopening_asked: false, deciders: [], disagreements: [] },
  })
  // A pick is a favorite: a like is none.
  await give(ana, 0, { feedback_type: 'like' })
  expectProblem(await submit(ana), 400, 'NOTHING_SELECTED')
  for (const photo of [0, 1, 2]) expect((await pick(ana, photo)).status).toBe(200)
  expectProblem(await pick(ana, 3), 409, 'SELECTION_LIMIT_REACHED')
  // The same pick again changes nothing.
  expect((await pick(ana, 0)).status).toBe(200)
  expect(await roundOf(ana)).toMatchObject({ count: 3, extra_count: 1, revision: 3 })
  expectProblem(await submit(ana, { revision: 2 }), 409, 'SELECTION_CHANGED')
  // A hidden photo is no pick of the guest.
  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[2]}`, { visibility: 'hidden' })
  expect(await roundOf(ana)).toMatchObject({ count: 2 })
  await setPackage({ ...album, minimum: 3 })
  expectProblem(await submit(ana, { revision: 3 }), 409, 'SELECTION_TOO_SMALL')
  await setPackage({ ...album, maximum: 1 })
  expectProblem(await submit(ana), 409, 'SELECTION_LIMIT_REACHED')
  await setPackage()
  expect((await submit(ana, { revision: 3 })).body).toMatchObject({ state: 'locked', number: 1, count: 2 })
})

test('sent picks are locked for each write path, and 409 is not kept under its key', { tags: 'database' }, async () => {
  await setPackage({ ...album, locks_on_submission: false })
  await give(ana, 0, { feedback_type: 'rating', rating: 4 })
  await pick(ana, 0)
  const comment = await give(ana, 0, { feedback_type: 'comment', comment_text: 'The first dance' })
  expect((await submit(ana)).body).toMatchObject({ state: 'submitted', content_sha256: expect.any(String) })
  const feedback = (await admin.get(`/api/admin/feedback/events/${event.id}`)).body.feedback as Array<{
    id: number
    feedback_type: string
  }>
  const idOf = (kind: string) => feedback.find(({ feedback_type }) => feedback_type === kind)?.id
  const refused = [
    () => pick(ana, 0, false),
    () => pick(ana, 1),
    () => give(ana, 0, { feedback_type: 'favorite' }),
    () => give(ana, 0, { feedback_type: 'rating', rating: 5 }),
    () => give(ana, 0, { feedback_type: 'rating', rating: 0 }),
    () => give(ana, 1, { feedback_type: 'like' }),
    () => give(ana, 1, { feedback_type: 'color_label', color_label: 'red' }),
    () => admin.call('DELETE', `/api/admin/feedback/${idOf('rating')}`),
    () => admin.call('DELETE', `/api/admin/feedback/${idOf('favorite')}`),
    () => admin.put(`/api/admin/feedback/${idOf('favorite')}/hide`, {}),
    () => submit(ana),
  ]
  for (const state of ['submitted', 'locked']) {
    expect(await currentRound()).toMatchObject({ state, count: 1 })
    for (const write of refused) expectProblem(await write(), 409, 'SELECTION_LOCKED')
    const { selections } = (await api.get(`/api/v1/events/${event.id}/selections?status=open`)).body
    expect(selections.length).toBe(state === 'submitted' ? 1 : 0)
    if (state === 'submitted') expect((await act('accept')).status).toBe(200)
  }
  expectProblem(await act('accept'), 409, 'INVALID_STATE')
  // What is said stays open, and so are the marks of others.
  expect((await give(ana, 1, { feedback_type: 'comment', comment_text: 'And this?' })).status).toBe(200)
  expect((await admin.call('DELETE', `/api/admin/feedback/${comment.body.id}`)).status).toBe(200)
  const ben = await enterAsGuest(service, event)
  expect((await pick(ben, 3)).status).toBe(200)

  const key = { 'idempotency-key': 'late' }
  const late = () => ana.post(gallery(`/photos/${ids[1]}/feedback`), { feedback_type: 'favorite', set: true }, key)
  expectProblem(await late(), 409, 'SELECTION_LOCKED')
  const round = (await listRounds()).find(({ state }: { state: string }) => state === 'locked')
  expect((await admin.post(adminPath(`/rounds/${round.id}/reopen`), { message: 'Go on' })).status).toBe(200)
  expect((await late()).status).toBe(200)
})

test('the snapshot has all marks as of submission, and its hash is that of its canonical form', async () => {
  await setPackage()
  await give(ana, 0, { feedback_type: 'rating', rating: 5 })
  await give(ana, 0, { feedback_type: 'color_label', color_label: 'green' })
  await give(ana, 1, { feedback_type: 'like' })
  await give(ana, 3, { feedback_type: 'rating', rating: 2 })
  await give(ana, 1, { feedback_type: 'comment', comment_text: 'Less sky', guest_name: 'Ana' })
  for (const photo of [0, 1, 2]) await pick(ana, photo)
  const { body } = await submit(ana, { note: 'For us' })
  const [stored] = snapshots()
  const snapshot = JSON.parse(stored?.snapshot ?? '')
  expect(snapshot).toMatchObject({
    ...{ event_id: event.id, round: 1, purpose: 'Album', included: 2, minimum: 1, maximum: 3, extra_count: 1 },
    photos: [
      { id: ids[0], source_filename: 'photo-1.jpg', version: 1, rating: 5, color_label: 'green', is_liked: false },
      { id: ids[1], rating: null, color_label: null, is_liked: true, content_hash: expect.any(String) },
      { id: ids[2], rating: null, color_label: null, is_liked: false },
    ],
    other_marks: [{ photo_id: ids[3], rating: 2, color_label: null, is_liked: false }],
  })
  expect(JSON.parse(stored?.people ?? '')).toEqual({
    guest_name: 'Ana',
    note: 'For us',
    comments: [{ photo_id: ids[1], kind: 'comment', text: 'Less sky' }],
  })
  const hash = createHash('sha256')
    .update(canonicalize(snapshot) ?? '')
    .digest('hex')
  expect([stored?.content_sha256, body.content_sha256]).toEqual([hash, hash])
  const [announced] = listAnnouncedOf(service, event.id)
  expect(announced?.data).toMatchObject({ selection: { round: 1, extra_count: 1, content_sha256: hash } })
})

describe('a round that is opened again', () => {
  beforeEach(async () => {
    await setPackage()
    for (const photo of [0, 1, 2]) await pick(ana, photo)
    await submit(ana)
  })

  test('begins with the picks, has new numbers and a message, and keeps the earlier snapshot', {
    tags: 'database',
  }, async () => {
    const [before] = snapshots()
    expectInvalidField(await act('reopen', { message: ' ' }), 'message')
    expectInvalidField(await act('reopen', { message: 'Hm', minimum: 9 }), 'minimum')
    const { body } = await act('reopen', { message: ' Please cut to one ', maximum: 1 })
    const numbers = { number: 2, state: 'reopened', minimum: 1, maximum: 1, included: 2, count: 3, extra_count: 1 }
    expect(body).toMatchObject({ ...numbers, message: 'Please cut to one', is_current: true, selection_id: null })
    expect(await roundOf(ana)).toMatchObject({ ...numbers, before_number: 1, message: 'Please cut to one' })
    expectProblem(await act('reopen', { message: 'Again' }), 409, 'INVALID_STATE')
    const [first] = (await listRounds('?state=locked')) as Array<{ id: number; is_current: boolean; count: number }>
    expect(first).toMatchObject({ is_current: false, count: 3, selection_id: expect.any(Number) })
    expectProblem(await admin.post(adminPath(`/rounds/${first?.id}/reopen`), { message: 'No' }), 409, 'INVALID_STATE')
    expect(listAnnouncedOf(service, event.id).at(-1)).toMatchObject({
      type: 'selection.reopened',
      data: { round: { number: 2, maximum: 1, message: 'Please cut to one', guest: { id: await guestIdOf(ana) } } },
    })

    expectProblem(await pick(ana, 3), 409, 'SELECTION_LIMIT_REACHED')
    expectProblem(await submit(ana), 409, 'SELECTION_LIMIT_REACHED')
    await pick(ana, 0, false)
    await pick(ana, 1, false)
    expect((await submit(ana)).body).toMatchObject({ number: 2, count: 1, state: 'locked', extra_count: 0 })
    const [kept, second] = snapshots()
    expect(kept).toEqual(before)
    expect(JSON.parse(second?.snapshot ?? '')).toMatchObject({ round: 2, photos: [{ id: ids[2] }] })
  })

  test('can be asked for by its guest, whose words the operator reads, until a step of the operator settles it', async () => {
    const waiting = async () => {
      const { selections } = (await admin.get('/api/admin/dashboard')).body as Dashboard
      return selections.filter((one) => one.event.id === event.id).map((one) => [one.round, one.is_reopening_asked])
    }
    const { id } = (await api.get(`/api/v1/events/${event.id}/selections`)).body.selections[0]
    expect(await waiting()).toEqual([[1, false]])
    await admin.put(`/api/admin/feedback/selections/${id}/done`, {})
    expect(await waiting()).toEqual([])
    expect((await ana.post(gallery('/round/reopening'), { message: 'Too early' })).body.round).toMatchObject({
      state: 'locked',
      is_reopening_asked: true,
    })
    expect((await currentRound()).reopening).toMatchObject({ message: 'Too early' })
    expect(await waiting()).toEqual([[1, true]])
    await act('reopen', { message: 'Here you are' })
    expect(await waiting()).toEqual([])
    const { selections } = (await api.get(`/api/v1/events/${event.id}/selections?status=open`)).body
    expect(selections).toEqual([])
    expect(await roundOf(ana)).toMatchObject({ is_reopening_asked: false })
    expectProblem(await ana.post(gallery('/round/reopening'), {}), 409, 'INVALID_STATE')
  })

  test('is not opened in an archived event, which guests do not see', async () => {
    const { id } = await currentRound()
    await admin.call('POST', `/api/admin/events/${event.id}/archive`)
    expectProblem(await admin.post(adminPath(`/rounds/${id}/reopen`), { message: 'No' }), 409, 'EVENT_ARCHIVED')
    expectProblem(await setPackage(), 409, 'EVENT_ARCHIVED')
    expect((await listRounds()).length).toBe(1)
    expect((await ana.get(gallery('/round'))).status).toBe(404)
  })

  test('guests with sent picks are not merged, unless the one who leaves has no marks', async () => {
    const ben = await enterAsGuest(service, event)
    const merge = async (from: TestClient, into: TestClient) =>
      admin.post(adminPath('/guests/merge'), { from: await guestIdOf(from), into: await guestIdOf(into) })

    expect((await ben.post(gallery('/guest'), { name: 'Ben' })).status).toBe(200)
    expect((await merge(ben, ana)).status).toBe(200)
    const cleo = await enterAsGuest(service, event)
    await pick(cleo, 3)
    expectProblem(await merge(cleo, ana), 409, 'SELECTION_LOCKED')
    expectProblem(await merge(ana, cleo), 409, 'SELECTION_LOCKED')
    const { rounds } = (await admin.get(adminPath('/rounds?state=locked'))).body
    await admin.post(adminPath(`/rounds/${rounds[0].id}/reopen`), { message: 'Go on' })
    // What was sent before would lose its round.
    expectProblem(await merge(ana, cleo), 409, 'SELECTION_LOCKED')
    const dan = await enterAsGuest(service, event)
    await pick(dan, 3)
    expect((await merge(dan, cleo)).status).toBe(200)
    // The merged guest has the marks and the round of the other one.
    expect(await roundOf(ben)).toMatchObject({ number: 2, state: 'reopened' })
    expect(await roundOf(dan)).toMatchObject({ count: 1, number: 1, state: 'open' })
  })
})

test('a package that is turned on late or removed loses nothing', { tags: 'database' }, async () => {
  await pick(ana, 0)
  await pick(ana, 1)
  await submit(ana)
  await setPackage()
  expect(await listRounds('?current=true')).toMatchObject([{ number: 1, state: 'open', count: 2, maximum: 3 }])
  expect((await submit(ana)).body).toMatchObject({ number: 2, state: 'locked' })
  await setPackage({ ...album, maximum: 4 })
  // A submitted round keeps its numbers.
  expect((await currentRound()).maximum).toBe(3)
  await admin.call('DELETE', adminPath('/package'))
  expect((await pick(ana, 2)).status).toBe(200)
  expect((await submit(ana)).body).toMatchObject({ number: 3, state: null, content_sha256: null })
  expect(await listRounds()).toMatchObject([{ number: 1, state: 'locked', is_current: false, count: 2 }])
  await setPackage({ ...album, maximum: null })
  expect(await roundOf(ana)).toMatchObject({ number: 2, state: 'open', count: 3, maximum: null })
  expect(snapshots().map(({ content_sha256 }) => content_sha256)).toEqual([null, expect.any(String), null])
})

test('a copy of an event has no package, and before the reveal there is no round', async () => {
  await setPackage()
  const copy = (await admin.post(`/api/admin/events/${event.id}/duplicate`, {})).body
  expect((await admin.get(`/api/admin/events/${copy.id}/package`)).body).toEqual({ package: null })
  await admin.put(`/api/admin/events/${event.id}`, { reveal_at: '2099-01-01T00:00:00Z' })
  expect(await roundOf(ana)).toBeNull()
})
