import { beforeEach, describe, expect, test } from 'vitest'
import { announceFeedback } from '../../server/events/announce-feedback.ts'
import { minutes, seconds } from '../../server/platform/clock.ts'
import { withAppContext } from '../support/accounts.ts'
import { breakWrites } from '../support/broken-writes.ts'
import { type GalleryToMark, markingIn, openToMark } from '../support/marks.ts'
import { expectProblem } from '../support/problems.ts'
import { inDatabase } from '../support/stored.ts'
import type { TestClient } from '../support/test-client.ts'
import { movableClock, serviceForFile } from '../support/test-service.ts'
import { announced, subscribe } from '../support/webhooks.ts'

const clock = movableClock()
const service = await serviceForFile({ edges: { clock } })
const { admin, api } = service
await subscribe(service, { events: ['feedback.changed'] })

let opened: GalleryToMark
let guest: TestClient
let other: TestClient
const { give, rate, label, like, favor } = markingIn(service, () => opened)
beforeEach(async () => {
  opened = await openToMark(service)
  ;[guest, other] = opened.guests
})

/** Runs the job as another process would; the job of the service runs at the same time. */
const announceDue = () => withAppContext(service, (ctx) => announceFeedback({ ...ctx, clock }))
const told = () => announced(service).filter(({ data }) => data.event.id === opened.event.id)
const idOf = async (client: TestClient) =>
  (await client.get(`/api/gallery/${opened.event.slug}/guest`)).body.guest.id as string
const countsOf = async (client: TestClient) => {
  const guestId = await idOf(client)
  return told()
    .filter(({ data }) => data.guest.id === guestId)
    .map(({ data: { feedback } }) => [
      feedback.rating_count,
      feedback.color_label_count,
      feedback.like_count,
      feedback.favorite_count,
      feedback.comment_count,
    ])
}

async function afterQuiet() {
  clock.advance(seconds(31))
  await announceDue()
}

describe('feedback.changed', () => {
  test('contains all changes of a guest, once the guest has made none for 30 seconds', async () => {
    await rate(guest, 4)
    await label(guest, 'red')
    await like(guest)
    await favor(guest, opened.ids[1])
    await give(guest, { feedback_type: 'comment', comment_text: 'Wonderful' })
    clock.advance(seconds(20))
    await announceDue()
    expect(told()).toEqual([])
    clock.advance(seconds(11))
    await announceDue()
    await announceDue()
    expect(await countsOf(guest)).toEqual([[1, 1, 1, 1, 1]])
  })

  test('counts the 30 seconds from the last change', async () => {
    await rate(guest, 4)
    clock.advance(seconds(20))
    await rate(guest, 5)
    clock.advance(seconds(20))
    await announceDue()
    expect(told()).toEqual([])
    clock.advance(seconds(11))
    await announceDue()
    const [{ data } = { data: {} }] = told()
    const { first_changed_at, last_changed_at } = data.feedback
    expect((Date.parse(last_changed_at) - Date.parse(first_changed_at)) / 1000).toBeCloseTo(20, -1)
  })

  test('waits at most 5 minutes for a guest who never pauses', async () => {
    const begun = clock.now()
    for (let round = 0; clock.now() < begun + minutes(5); round++) {
      await rate(guest, 1 + (round % 5))
      clock.advance(seconds(25))
      await announceDue()
    }
    expect(told()).toHaveLength(1)
    await rate(guest, 3)
    await announceDue()
    expect(told()).toHaveLength(1)
    await afterQuiet()
    expect(told()).toHaveLength(2)
  })

  test('is published per guest', async () => {
    await rate(guest, 4)
    await like(other)
    await like(other, opened.ids[1])
    await afterQuiet()
    expect(await countsOf(guest)).toEqual([[1, 0, 0, 0, 0]])
    expect(await countsOf(other)).toEqual([[0, 0, 2, 0, 0]])
  })

  test('contains removed feedback, down to zero', async () => {
    await like(guest)
    await afterQuiet()
    await like(guest)
    await afterQuiet()
    expect(await countsOf(guest)).toEqual([
      [0, 0, 1, 0, 0],
      [0, 0, 0, 0, 0],
    ])
  })

  test('contains what an operator approves, hides or deletes', async () => {
    const { body } = await give(guest, { feedback_type: 'comment', comment_text: 'Wonderful' })
    await afterQuiet()
    for (const [operation, left] of [
      ['approve', 1],
      ['hide', 1],
      ['', 0],
    ] as const) {
      const before = told().length
      const answer = operation
        ? await admin.put(`/api/admin/feedback/${body.id}/${operation}`, {})
        : await admin.delete(`/api/admin/feedback/${body.id}`)
      expect(answer.status).toBe(200)
      await afterQuiet()
      expect(told()).toHaveLength(before + 1)
      expect((await countsOf(guest)).at(-1)).toEqual([0, 0, 0, 0, left])
    }
  })

  test('is published once, also with several processes', async () => {
    await rate(guest, 4)
    await rate(other, 4)
    clock.advance(seconds(31))
    await Promise.all(Array.from({ length: 4 }, announceDue))
    expect(told()).toHaveLength(2)
  })

  test('is not published for rejected feedback, marks of operators, or guests who only read', async () => {
    expectProblem(await rate(guest, 9), 400, 'VALIDATION_ERROR')
    expectProblem(await give(guest, { feedback_type: 'like' }, 999_999), 404, 'NOT_FOUND')
    await guest.get(`/api/gallery/${opened.event.slug}/photos`)
    await admin.put(`/api/admin/photos/${opened.event.id}/photos/${opened.ids[0]}/mark`, { rating: 5 })
    await afterQuiet()
    expect(told()).toEqual([])
  })

  test('is not published without a change: the same rating again, approving or hiding twice', async () => {
    const comment = (await give(guest, { feedback_type: 'comment', comment_text: 'Wonderful' })).body.id
    const hidden = (await give(guest, { feedback_type: 'comment', comment_text: 'Awful' })).body.id
    const operations = [
      () => rate(guest, 4),
      () => admin.put(`/api/admin/feedback/${comment}/approve`, {}),
      () => admin.put(`/api/admin/feedback/${hidden}/hide`, {}),
    ]
    for (const operation of operations) await operation()
    await afterQuiet()
    expect(told()).toHaveLength(1)
    const live = () => inDatabase(service, (stored) => stored.prepare('select count(*) from live_events').pluck().get())
    const before = live()
    for (const operation of operations) expect((await operation()).status).toBe(200)
    await afterQuiet()
    expect(told()).toHaveLength(1)
    expect(live()).toBe(before)
  })

  test('is not published for a deleted event', async () => {
    await rate(guest, 4)
    await api.delete(`/api/v1/events/${opened.event.id}`)
    await afterQuiet()
    expect(told()).toEqual([])
  })

  test('is published only for the remaining guest when two guests are merged', async () => {
    await rate(guest, 4)
    await like(other)
    await afterQuiet()
    const before = told().length
    await favor(guest)
    const [from, into] = [await idOf(guest), await idOf(other)]
    await admin.post(`/api/admin/events/${opened.event.id}/guests/merge`, { from, into })
    await afterQuiet()
    const last = told().slice(before)
    expect(
      last.map(({ data: { guest, feedback } }) => [guest.id, feedback.rating_count, feedback.favorite_count]),
    ).toEqual([[into, 1, 1]])
  })

  test('is stored until published', async () => {
    await rate(guest, 4)
    clock.advance(seconds(31))
    const mend = await breakWrites(service, 'insert on webhook_deliveries')
    await expect(announceDue()).rejects.toThrow('broken')
    await mend()
    await announceDue()
    expect(await countsOf(guest)).toEqual([[1, 0, 0, 0, 0]])
  })
})
