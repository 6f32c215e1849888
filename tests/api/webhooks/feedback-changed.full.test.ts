import { beforeEach, describe, expect, test } from 'vitest'
import { announceFeedback } from '../../../server/feedback/announce-feedback.ts'
import { minutes, seconds } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createMarkableGallery, createMarking, type MarkableGallery } from '../../support/fixtures/marks.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnounced } from '../../support/webhooks/webhooks.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { admin, api } = service
await createTestWebhook(service, { events: ['feedback.changed'] })

let opened: MarkableGallery
let guest: TestClient
let other: TestClient
const { give, rate, label, like, favor } = createMarking(service, () => opened)
beforeEach(async () => {
  opened = await createMarkableGallery(service)
  ;[guest, other] = opened.guests
})

/** Runs the job as another process would; the job of the service runs at the same time. */
const publishDueFeedback = () => withAppContext(service, (ctx) => announceFeedback({ ...ctx, clock }))
const listPublished = () => listAnnounced(service).filter(({ data }) => data.event.id === opened.event.id)
const getGuestId = async (client: TestClient) =>
  (await client.get(`/api/gallery/${opened.event.slug}/guest`)).body.guest.id as string
const listPublishedCounts = async (client: TestClient) => {
  const guestId = await getGuestId(client)
  return listPublished()
    .filter(({ data }) => data.guest.id === guestId)
    .map(({ data: { feedback } }) => [
      feedback.rating_count,
      feedback.color_label_count,
      feedback.like_count,
      feedback.favorite_count,
      feedback.comment_count,
    ])
}

async function publishAfterPause() {
  clock.advance(seconds(31))
  await publishDueFeedback()
}

describe('feedback.changed', () => {
  test('has all changes of a guest, after a pause of 30 seconds', async () => {
    await rate(guest, 4)
    await label(guest, 'red')
    await like(guest)
    await favor(guest, opened.ids[1])
    clock.advance(seconds(20))
    await give(guest, { feedback_type: 'comment', comment_text: 'Wonderful' })
    await like(other)
    await like(other, opened.ids[1])
    clock.advance(seconds(20))
    await publishDueFeedback()
    expect(listPublished()).toEqual([])
    clock.advance(seconds(11))
    await Promise.all(Array.from({ length: 4 }, publishDueFeedback))
    expect(await listPublishedCounts(guest)).toEqual([[1, 1, 1, 1, 1]])
    expect(await listPublishedCounts(other)).toEqual([[0, 0, 2, 0, 0]])
    const changes = listPublished().map(({ data }) => data.feedback)
    const { first_changed_at, last_changed_at } = changes.find(({ comment_count }) => comment_count === 1)
    expect((Date.parse(last_changed_at) - Date.parse(first_changed_at)) / 1000).toBeCloseTo(20, -1)
  })

  test('waits at most 5 minutes for a guest who never pauses', async () => {
    const startedAt = clock.now()
    for (let round = 0; clock.now() < startedAt + minutes(5); round++) {
      await rate(guest, 1 + (round % 5))
      clock.advance(seconds(25))
      await publishDueFeedback()
    }
    expect(listPublished()).toHaveLength(1)
    await rate(guest, 3)
    await publishDueFeedback()
    expect(listPublished()).toHaveLength(1)
    await publishAfterPause()
    expect(listPublished()).toHaveLength(2)
  })

  test('contains removed feedback, down to zero', async () => {
    await like(guest)
    await publishAfterPause()
    await like(guest)
    await publishAfterPause()
    expect(await listPublishedCounts(guest)).toEqual([
      [0, 0, 1, 0, 0],
      [0, 0, 0, 0, 0],
    ])
  })

  test('contains what an operator approves, hides or deletes', async () => {
    const { body } = await give(guest, { feedback_type: 'comment', comment_text: 'Wonderful' })
    await publishAfterPause()
    for (const [operation, left] of [
      ['approve', 1],
      ['hide', 1],
      ['', 0],
    ] as const) {
      const before = listPublished().length
      const answer = operation
        ? await admin.put(`/api/admin/feedback/${body.id}/${operation}`, {})
        : await admin.delete(`/api/admin/feedback/${body.id}`)
      expect(answer.status).toBe(200)
      await publishAfterPause()
      expect(listPublished()).toHaveLength(before + 1)
      expect((await listPublishedCounts(guest)).at(-1)).toEqual([0, 0, 0, 0, left])
    }
  })

  test('is not published for rejected feedback, marks of operators, or guests who only read', async () => {
    expectProblem(await rate(guest, 9), 400, 'VALIDATION_ERROR')
    expectProblem(await give(guest, { feedback_type: 'like' }, 999_999), 404, 'NOT_FOUND')
    await guest.get(`/api/gallery/${opened.event.slug}/photos`)
    await admin.put(`/api/admin/photos/${opened.event.id}/photos/${opened.ids[0]}/mark`, { rating: 5 })
    await publishAfterPause()
    expect(listPublished()).toEqual([])
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
    await publishAfterPause()
    expect(listPublished()).toHaveLength(1)
    const countLiveEvents = () =>
      readDatabase(service, (stored) => stored.prepare('select count(*) from live_events').pluck().get())
    const before = countLiveEvents()
    for (const operation of operations) expect((await operation()).status).toBe(200)
    await publishAfterPause()
    expect(listPublished()).toHaveLength(1)
    expect(countLiveEvents()).toBe(before)
  })

  test('is not published for a deleted event', async () => {
    await rate(guest, 4)
    await api.delete(`/api/v1/events/${opened.event.id}`)
    await publishAfterPause()
    expect(listPublished()).toEqual([])
  })

  test('is published only for the remaining guest when two guests are merged', async () => {
    await rate(guest, 4)
    await like(other)
    await publishAfterPause()
    const before = listPublished().length
    await favor(guest)
    const [from, into] = [await getGuestId(guest), await getGuestId(other)]
    await admin.post(`/api/admin/events/${opened.event.id}/guests/merge`, { from, into })
    await publishAfterPause()
    const last = listPublished().slice(before)
    expect(
      last.map(({ data: { guest, feedback } }) => [guest.id, feedback.rating_count, feedback.favorite_count]),
    ).toEqual([[into, 1, 1]])
  })

  test('is stored until published', async () => {
    await rate(guest, 4)
    clock.advance(seconds(31))
    const restoreWrites = await makeWritesFail(service, 'insert on webhook_deliveries')
    await expect(publishDueFeedback()).rejects.toThrow('broken')
    await restoreWrites()
    await publishDueFeedback()
    expect(await listPublishedCounts(guest)).toEqual([[1, 0, 0, 0, 0]])
  })
})
