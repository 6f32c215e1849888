import { beforeEach, expect, test } from 'vitest'
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

test('feedback sent again with its Idempotency-Key returns the same response, and writes nothing', async () => {
  for (const body of bodies) {
    const key = createKey()
    const first = await send(ana, key, body)
    expect([first.status, isReplay(first)]).toEqual([200, false])
    expect(first.body).toEqual(feedbackResponse('created'))
    const before = countRows()
    for (let attempt = 0; attempt < 2; attempt++) {
      const again = await send(ana, key, body)
      expect([again.status, isReplay(again), again.body]).toEqual([200, true, first.body])
    }
    expect(countRows()).toEqual(before)
  }
})

test('sent many times at once it is one; each gets its response or 409 IDEMPOTENCY_IN_PROGRESS', {
  tags: 'database',
}, async () => {
  for (const [index, body] of bodies.entries()) {
    const key = createKey()
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(ana, key, body)))
    const succeeded = answers.filter(({ status }) => status === 200)
    expect(succeeded.filter((answer) => !isReplay(answer))).toHaveLength(1)
    for (const answer of succeeded) expect(answer.body).toEqual(succeeded[0]?.body)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect(countMarkRows(service, 'photo_id', opened.ids[0])[0]).toBe(index + 1)
  }
})

test('the key of another guest, on another photo or in another gallery is another call', async () => {
  const key = createKey()
  const like = { feedback_type: 'like' }
  const answers = [await send(ana, key, like), await send(ben, key, like), await send(ana, key, like, opened.ids[1])]
  await openEvent()
  answers.push(await send(ana, key, like))
  for (const answer of answers) {
    expect([answer.status, isReplay(answer)]).toEqual([200, false])
    expect(answer.body).toEqual(feedbackResponse('created'))
  }
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

test('another value, kind or field under the key returns 422 IDEMPOTENCY_KEY_REUSED and stores nothing', async () => {
  const key = createKey()
  await send(ana, key, { feedback_type: 'rating', rating: 4 })
  for (const other of [
    { feedback_type: 'rating', rating: 5 },
    { feedback_type: 'like' },
    { feedback_type: 'rating', rating: 4, guest_name: 'Ana' },
  ]) {
    expectProblem(await send(ana, key, other), 422, 'IDEMPOTENCY_KEY_REUSED')
  }
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

test('key and mark are written together or not at all', { tags: 'database' }, async () => {
  const key = createKey()
  const comment = { feedback_type: 'comment', comment_text: 'Once' }
  const restoreWrites = await makeWritesFail(service, 'update of status on idempotency_keys')
  expectProblem(await send(ana, key, comment), 500, 'INTERNAL_ERROR')
  expect(countMarkRows(service, 'photo_id', opened.ids[0])).toEqual([0, 0, 0])
  await restoreWrites()
  const again = await send(ana, key, comment)
  expect([isReplay(again), again.body]).toEqual([false, feedbackResponse('created')])
})

test('an invalid key returns 400, and an operator cannot use any: 403', async () => {
  for (const key of ['', 'a\tb', 'x'.repeat(256)]) {
    expectInvalidField(await send(ana, key, { feedback_type: 'like' }), 'idempotency-key')
  }
  expectProblem(await send(admin, createKey(), { feedback_type: 'like' }), 403, 'FORBIDDEN')
})

test('a repeated call returns 404 after the photo was hidden or the gallery closed', async () => {
  const key = createKey()
  const body = { feedback_type: 'comment', comment_text: 'How nice' }
  const { event, ids } = opened
  for (const id of ids) expect((await send(ana, key, body, id)).status).toBe(200)
  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
  expectProblem(await send(ana, key, body), 404, 'NOT_FOUND')
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  expectProblem(await send(ana, key, body, ids[1]), 404, 'NOT_FOUND')
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
