import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import type { TestEvent } from '../../support/fixtures/events.ts'
import { createMarkableGallery, createMarking, emptyMarks } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
const { feedbackPath, give, rate, label, like, read, readAsGuest } = createMarking(service, () => ({ event, ids }))
beforeEach(async () => {
  const opened = await createMarkableGallery(service)
  ;({ event, ids } = opened)
  ;[ana, ben] = opened.guests
})

const comment = async (guest: TestClient, comment_text: string, more = {}) =>
  (await give(guest, { feedback_type: 'comment', comment_text, ...more })).body.id as number
const list = (query = '') => admin.get(`/api/admin/feedback/events/${event.id}${query}`)
const listFeedbackIds = async (query = '') => (await list(query)).body.feedback.map(({ id }: { id: number }) => id)
const moderate = (id: unknown, verb: 'approve' | 'hide') => admin.put(`/api/admin/feedback/${id}/${verb}`, {})
const remove = (id: unknown) => admin.delete(`/api/admin/feedback/${id}`)
const settingsPath = () => `/api/admin/feedback/events/${event.id}/feedback-settings`

describe('the list of feedback', () => {
  test('contains what guests gave, newest first, with photo, name and address', async () => {
    await rate(ben, 3)
    await label(ben, 'red')
    const id = await comment(ana, 'Brighter?', { guest_name: 'Ana', guest_email: 'ana@guests.example' })
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.feedback[0]).toEqual({
      id,
      event_id: event.id,
      photo_id: ids[0],
      filename: expect.stringMatching(/^\d+_\w+\.jpg$/),
      original_filename: 'photo-1.jpg',
      feedback_type: 'comment',
      rating: null,
      color_label: null,
      comment_text: 'Brighter?',
      status: 'pending',
      guest_id: expect.stringMatching(/./),
      guest_name: 'Ana',
      guest_email: 'ana@guests.example',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(body.feedback.slice(1)).toMatchObject([
      { feedback_type: 'color_label', color_label: 'red', status: 'approved', guest_name: null },
      { feedback_type: 'rating', rating: 3, status: 'approved' },
    ])
    expect(body.pagination).toEqual({ page: 1, limit: 50, total: 3, pages: 1 })
  })

  test('is filtered by kind, status, photo and guest, and paged', async () => {
    const liked = (await like(ana)).body.id
    const onSecondPhoto = (await like(ben, ids[1])).body.id
    const [approved, hidden, pending] = [await comment(ana, 'a'), await comment(ana, 'b'), await comment(ben, 'c')]
    await moderate(approved, 'approve')
    await moderate(hidden, 'hide')
    expect(await listFeedbackIds('?feedback_type=like')).toEqual([onSecondPhoto, liked])
    expect(await listFeedbackIds('?status=pending')).toEqual([pending])
    expect(await listFeedbackIds('?status=hidden')).toEqual([hidden])
    expect(await listFeedbackIds('?status=approved')).toEqual([approved, onSecondPhoto, liked])
    expect(await listFeedbackIds(`?photo_id=${ids[1]}`)).toEqual([onSecondPhoto])
    const { guest_id } = (await list()).body.feedback[0]
    expect(await listFeedbackIds(`?guest=${guest_id}`)).toEqual([pending, onSecondPhoto])
    expect(await listFeedbackIds(`?guest=${guest_id}&feedback_type=comment&status=hidden`)).toEqual([])
    expect(await listFeedbackIds('?limit=2&page=2')).toEqual([approved, onSecondPhoto])
    expectInvalidField(await list('?status=open'), 'status')
    expectInvalidField(await list('?feedback_type=stars'), 'feedback_type')
    expectInvalidField(await list('?limit=101'), 'limit')
  })
})

describe('hidden feedback', () => {
  test('is not counted, and counts again when it is approved', async () => {
    for (const body of [
      { feedback_type: 'rating', rating: 5 },
      { feedback_type: 'color_label', color_label: 'blue', set: true },
      { feedback_type: 'like', set: true },
      { feedback_type: 'favorite', set: true },
    ]) {
      const { id } = (await give(ana, body)).body
      const before = await read()
      expect((await moderate(id, 'hide')).body).toMatchObject({ id, status: 'hidden' })
      expect(await read()).toMatchObject(emptyMarks)
      expect((await moderate(id, 'hide')).body.status).toBe('hidden')
      expect((await moderate(id, 'approve')).body).toMatchObject({ id, status: 'approved' })
      // Guests' marks have changed twice since.
      expect(await read()).toEqual({ ...before, client_marked_at: expect.any(String) })
      await moderate(id, 'hide')
    }
  })

  test('includes a comment, which others no longer see, and stays hidden when its guest changes it', async () => {
    const id = await comment(ana, 'Rude')
    await moderate(id, 'approve')
    expect((await ben.get(feedbackPath())).body.feedback).toHaveLength(1)
    await moderate(id, 'hide')
    expect((await ben.get(feedbackPath())).body.feedback).toEqual([])
    expect((await ana.get(feedbackPath())).body.feedback).toMatchObject([{ id, is_visible: false }])

    const { id: rated } = (await rate(ana, 1)).body
    await moderate(rated, 'hide')
    await rate(ana, 2)
    expect(await read()).toMatchObject(emptyMarks)
    expect((await readAsGuest(ana)).my_rating).toBe(2)
    expect((await list()).body.feedback[0]).toMatchObject({ id: rated, rating: 2, status: 'hidden' })
  })
})

test('deleted feedback is gone for everybody and is not counted', async () => {
  const rated = (await rate(ana, 5)).body.id
  const commented = await comment(ana, 'Bye')
  await moderate(commented, 'approve')
  for (const id of [rated, commented]) expect((await remove(id)).body).toEqual({ id, deleted: true })
  expect(await read()).toMatchObject(emptyMarks)
  expect((await readAsGuest(ana)).my_rating).toBeNull()
  expect((await list()).body.feedback).toEqual([])
  for (const answer of [await remove(rated), await moderate(rated, 'approve'), await moderate(rated, 'hide')]) {
    expectProblem(answer, 404, 'NOT_FOUND')
  }
})

test('the settings of feedback are the flags of the event; identity_mode is another name of require_guest_name', async () => {
  const before = (await admin.get(settingsPath())).body
  expect(before).toMatchObject({ allow_comments: true, moderate_comments: true, identity_mode: 'simple' })
  const changed = await admin.put(settingsPath(), { allow_comments: false, moderate_comments: false })
  expect(changed.body).toEqual({ ...before, allow_comments: false, moderate_comments: false })
  expect((await admin.get(settingsPath())).body).toEqual(changed.body)
  expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject({ allow_comments: false })
  expectProblem(await give(ana, { feedback_type: 'comment', comment_text: 'x' }), 403, 'FEEDBACK_DISABLED')

  const named = { identity_mode: 'guest', require_guest_name: true }
  expect((await admin.put(settingsPath(), { identity_mode: 'guest' })).body).toMatchObject(named)
  expectInvalidField(await like(ana), 'guest_name')
  expect((await admin.put(settingsPath(), { require_guest_name: false })).body.identity_mode).toBe('simple')
  for (const [body, path] of [
    [{ ...named, require_guest_name: false }, 'identity_mode'],
    [{ identity_mode: 'open' }, 'identity_mode'],
    [{ allow_everything: true }, 'allow_everything'],
  ] as const) {
    expectInvalidField(await admin.put(settingsPath(), body), path)
  }
})

test('in an archived event moderation is 409, but reading works', async () => {
  const { id } = (await like(ana)).body
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  const changes = [await moderate(id, 'approve'), await moderate(id, 'hide'), await remove(id)]
  for (const answer of [...changes, await admin.put(settingsPath(), { allow_likes: false })]) {
    expectProblem(answer, 409, 'EVENT_ARCHIVED')
  }
  expect(await listFeedbackIds()).toEqual([id])
  expect((await admin.get(settingsPath())).status).toBe(200)
})
