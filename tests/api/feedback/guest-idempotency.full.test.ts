import { beforeEach, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { countMarkRows, createMarkableGallery, createMarking, feedbackResponse } from '../../support/fixtures/marks.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { admin, api } = service

let opened: Awaited<ReturnType<typeof createMarkableGallery>>
let ana: TestClient
let ben: TestClient
const { feedbackPath, readAsGuest } = createMarking(service, () => opened)
beforeEach(() => openEvent())

async function openEvent(body = {}) {
  opened = await createMarkableGallery(service, body)
  ;[ana, ben] = opened.guests
}

let keyCount = 0
const createKey = () => `mark ${++keyCount}`
const send = (guest: TestClient, key: string, body: object, id?: number) =>
  guest.post(feedbackPath(id), body, { 'idempotency-key': key })
const isReplay = ({ headers }: TestResponse) => headers.get('idempotent-replayed') === 'true'

const tables = ['feedback', 'photo_marks', 'live_events', 'feedback_changes', 'event_days', 'idempotency_keys']
const countRows = () =>
  readDatabase(service, (stored) =>
    tables.map((name) => [name, stored.prepare(`select count(*) from ${name}`).pluck().get()]),
  )

const bodies = [
  { feedback_type: 'rating', rating: 4 },
  { feedback_type: 'color_label', color_label: 'red' },
  { feedback_type: 'like' },
  { feedback_type: 'favorite', set: true },
  { feedback_type: 'comment', comment_text: 'How nice' },
]

describe.each(bodies)('$feedback_type by a guest with an Idempotency-Key', (body) => {
  test('sent again returns the same response with Idempotent-Replayed: true, and writes nothing', async () => {
    const key = createKey()
    const first = await send(ana, key, body)
    expect([first.status, isReplay(first)]).toEqual([200, false])
    expect(first.body).toEqual(feedbackResponse('created'))
    const before = countRows()
    for (let attempt = 0; attempt < 3; attempt++) {
      const again = await send(ana, key, body)
      expect([again.status, isReplay(again), again.body]).toEqual([200, true, first.body])
    }
    expect(countRows()).toEqual(before)
  })

  test('sent many times at once is one; each gets its response or 409 IDEMPOTENCY_IN_PROGRESS', async () => {
    const key = createKey()
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(ana, key, body)))
    const succeeded = answers.filter(({ status }) => status === 200)
    expect(succeeded.filter((answer) => !isReplay(answer))).toHaveLength(1)
    for (const answer of succeeded) expect(answer.body).toEqual(succeeded[0]?.body)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect(countMarkRows(service, 'photo_id', opened.ids[0])[0]).toBe(1)
  })

  test('is another call by another guest, on another photo and in another gallery', async () => {
    const key = createKey()
    await send(ana, key, body)
    const others = [await send(ben, key, body), await send(ana, key, body, opened.ids[1])]
    await openEvent()
    others.push(await send(ana, key, body))
    for (const other of others) {
      expect([other.status, isReplay(other)]).toEqual([200, false])
      expect(other.body).toEqual(feedbackResponse('created'))
    }
  })
})

test('a mark removed in between still gets its old response, and stays removed', async () => {
  const key = createKey()
  const like = { feedback_type: 'like', set: true }
  const first = await send(ana, key, like)
  await send(ana, createKey(), { ...like, set: false })
  const again = await send(ana, key, like)
  expect([isReplay(again), again.body]).toEqual([true, first.body])
  expect(await readAsGuest(ana)).toMatchObject({ is_liked: false, like_count: 0 })
})

test('removing what does not exist returns the same response again', async () => {
  const key = createKey()
  const nothing = { feedback_type: 'favorite', set: false }
  expect((await send(ana, key, nothing)).body).toEqual(feedbackResponse('removed', null))
  const again = await send(ana, key, nothing)
  expect([isReplay(again), again.body]).toEqual([true, feedbackResponse('removed', null)])
})

test.each([
  ['another value', { feedback_type: 'rating', rating: 5 }],
  ['another kind', { feedback_type: 'like' }],
  ['a further field', { feedback_type: 'rating', rating: 4, guest_name: 'Ana' }],
])('%s under the key returns 422 IDEMPOTENCY_KEY_REUSED and stores nothing', async (_what, other) => {
  const key = createKey()
  await send(ana, key, { feedback_type: 'rating', rating: 4 })
  expectProblem(await send(ana, key, other), 422, 'IDEMPOTENCY_KEY_REUSED')
  expect(await readAsGuest(ana)).toMatchObject({ my_rating: 4, is_liked: false })
  const sameFields = { rating: 4, sent_at: 'now', guest_name: null, feedback_type: 'rating' }
  expect(isReplay(await send(ana, key, sameFields))).toBe(true)
})

test('a rejected call frees the key', async () => {
  await openEvent({ require_guest_name: true })
  const key = createKey()
  expectInvalidField(await send(ana, key, { feedback_type: 'like' }), 'guest_name')
  const named = await send(ana, key, { feedback_type: 'like', guest_name: 'Ana' })
  expect([named.status, isReplay(named)]).toEqual([200, false])
})

test('key and mark are written together or not at all', async () => {
  const key = createKey()
  const comment = { feedback_type: 'comment', comment_text: 'Once' }
  const restoreWrites = await makeWritesFail(service, 'update of status on idempotency_keys')
  expectProblem(await send(ana, key, comment), 500, 'INTERNAL_ERROR')
  expect(countMarkRows(service, 'photo_id', opened.ids[0])).toEqual([0, 0, 0])
  await restoreWrites()
  const again = await send(ana, key, comment)
  expect([isReplay(again), again.body]).toEqual([false, feedbackResponse('created')])
})

test('a key does not work once the gallery is closed', async () => {
  const key = createKey()
  const like = { feedback_type: 'like' }
  await send(ana, key, like)
  await api.post(`/api/v1/events/${opened.event.id}/archive`, {})
  expectProblem(await send(ana, key, like), 404, 'NOT_FOUND')
})

test('an operator cannot use keys: 403, as without', async () => {
  expectProblem(await send(admin, createKey(), { feedback_type: 'like' }), 403, 'FORBIDDEN')
})

test.each(['', 'a\tb', 'x'.repeat(256)])('the key %j returns 400', async (key) => {
  expectInvalidField(await send(ana, key, { feedback_type: 'like' }), 'idempotency-key')
})

test('without a key every like is a new call', async () => {
  for (const what of ['created', 'removed'] as const) {
    expect((await ana.post(feedbackPath(), { feedback_type: 'like' })).body).toEqual(feedbackResponse(what))
  }
})

test('a repeated call returns 404 after the photo was hidden', async () => {
  const key = createKey()
  const body = { feedback_type: 'comment', comment_text: 'How nice' }
  expect((await send(ana, key, body)).status).toBe(200)
  const { event, ids } = opened
  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
  expectProblem(await send(ana, key, body), 404, 'NOT_FOUND')
})

test('the key expires after 24 hours', async () => {
  const browser = createCookieClient(service.url)
  const enter = async () => {
    const { slug, share_token: token } = opened.event
    const { body } = await browser.post('/api/auth/gallery/share-login', { slug, token })
    return createClient(service.url, body.token)
  }
  const key = createKey()
  const like = { feedback_type: 'like' }
  await send(await enter(), key, like)
  clock.advance(12 * 3_600_000)
  const later = await enter()
  expect(isReplay(await send(later, key, like))).toBe(true)
  clock.advance(12 * 3_600_000)
  const again = await send(later, key, like)
  expect([isReplay(again), again.body]).toEqual([false, feedbackResponse('removed')])
})
