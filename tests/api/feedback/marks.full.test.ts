import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import {
  countMarkRows,
  createMarkableGallery,
  createMarking,
  emptyMarks,
  feedbackResponse,
} from '../../support/fixtures/marks.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const colleague: Account = await createAccount(service, 'super_admin')

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
let cleo: TestClient
const { give, rate, label, like, favor, mark, markPath, read, readAsGuest } = createMarking(service, () => ({
  event,
  ids,
}))
beforeEach(() => openEvent())

async function openEvent(body = {}) {
  const opened = await createMarkableGallery(service, body)
  ;({ event, ids } = opened)
  ;[ana, ben, cleo] = opened.guests
}

describe('the marks of all guests', () => {
  test('are averages with two decimals, tallies and counts, in the list and the photo', {
    tags: 'database',
  }, async () => {
    await rate(ana, 5)
    await rate(ben, 4)
    expect((await read()).average_rating).toBe(4.5)
    await rate(cleo, 4)
    await label(ana, 'red')
    await label(ben, 'red')
    await label(cleo, 'green')
    await like(ana)
    await like(ben)
    await favor(cleo)
    const expected = {
      average_rating: 4.33,
      feedback_count: 3,
      like_count: 2,
      favorite_count: 1,
      comment_count: 0,
      color_labels: { red: 2, green: 1 },
      dominant_color_label: 'red',
      my_rating: null,
      my_color_label: null,
      color_label: 'red',
      rating: 4,
    }
    expect(await read()).toMatchObject(expected)
    const { photos } = (await api.get(`/api/v1/events/${event.id}/photos`)).body
    expect(photos[0]).toEqual(await read())
    expect(photos[1]).toMatchObject({ ...emptyMarks, color_label: null, rating: null })
    const single = await admin.get(`/api/admin/photos/${event.id}/photo/${ids[0]}`)
    expect(single.body).toEqual({ ...(await read()), awaits_review: false, guest_name: null })
  })

  test('break color ties with green first, count each guest once, and follow every change', async () => {
    await label(ana, 'purple')
    await label(ben, 'yellow')
    expect(await read()).toMatchObject({ dominant_color_label: 'yellow', feedback_count: 2 })
    await label(cleo, 'green')
    const tied = { dominant_color_label: 'green', color_labels: { green: 1, yellow: 1, purple: 1 } }
    expect(await read()).toMatchObject(tied)
    await label(cleo, 'purple')
    expect(await read()).toMatchObject({ dominant_color_label: 'purple', color_labels: { yellow: 1, purple: 2 } })
    await rate(cleo, 5)
    await like(cleo)
    await favor(cleo)
    expect((await read()).feedback_count).toBe(3)
    await rate(cleo, 0)
    await like(cleo)
    await favor(cleo)
    for (const guest of [ana, ben, cleo]) await label(guest, null)
    expect(await read()).toMatchObject(emptyMarks)
  })

  test('are visible to guests only with show_feedback_to_guests, except their own', async () => {
    await rate(ana, 5)
    await label(ana, 'blue')
    await like(ana)
    await favor(ben)
    const all = {
      average_rating: 5,
      feedback_count: 2,
      like_count: 1,
      favorite_count: 1,
      color_labels: { blue: 1 },
      dominant_color_label: 'blue',
    }
    const own = { my_rating: 5, my_color_label: 'blue', is_liked: true, is_favorited: false }
    expect(await readAsGuest(ana)).toMatchObject({ ...all, ...own })
    const nothing = { my_rating: null, my_color_label: null, is_liked: false, is_favorited: false }
    expect(await readAsGuest(cleo)).toMatchObject({ ...all, ...nothing })

    await api.patch(`/api/v1/events/${event.id}`, { show_feedback_to_guests: false })
    expect(await readAsGuest(ana)).toMatchObject({ ...emptyMarks, ...own })
    expect(await readAsGuest(cleo)).toMatchObject({ ...emptyMarks, ...nothing })
    expect(await read()).toMatchObject(all)
  })
})

test('each photo says when guests and the account have last marked it; comments are no marks', async () => {
  const times = async () => {
    const { client_marked_at: client, my_marked_at: mine } = await read()
    return { client: client && Date.parse(client), mine: mine && Date.parse(mine) }
  }
  expect(await times()).toEqual({ client: null, mine: null })
  const before = Date.now()
  const { body: comment } = await give(ana, { feedback_type: 'comment', comment_text: 'lovely' })
  expect(await times()).toEqual({ client: null, mine: null })
  await rate(ana, 5)
  const { client: rated } = await times()
  expect(rated).toBeGreaterThanOrEqual(before)
  await rate(ana, 5)
  await admin.put(`/api/admin/feedback/${comment.id}/hide`, {})
  expect((await times()).client).toBe(rated)
  await rate(ana, 0)
  expect((await times()).client).toBeGreaterThan(rated)
  await favor(ben)
  const { client } = await times()

  await mark(admin, { rating: 3 })
  expect(await times()).toEqual({ client, mine: expect.any(Number) })
  await mark(admin, { rating: null })
  expect(await times()).toEqual({ client, mine: null })
})

describe('marks', () => {
  const giveAllMarks = async () => {
    await rate(ana, 5)
    await rate(ben, 2)
    await label(ana, 'yellow')
    await like(ben)
    await favor(cleo)
    await mark(admin, { rating: 4, color_label: 'green' })
    await mark(colleague.admin, { rating: 1 })
  }
  const keys = `average_rating color_labels my_rating my_color_label feedback_count like_count favorite_count rating
    color_label`.split(/\s+/)
  const pickMarks = (photo: Record<string, unknown>) => keys.map((key) => photo[key])

  test('are kept by a replace, and its response contains them', async () => {
    await giveAllMarks()
    const before = await read()
    const theirs = await read(colleague.api)
    const seen = await readAsGuest(ana)
    const bytes = await jpeg({ seed: 9 })
    const { status, body } = await api.upload(event.id, bytes, { fields: { replaces_photo_id: ids[0] } })
    expect(status).toBe(200)
    for (const photo of [body.photo, await read()]) expect(pickMarks(photo)).toEqual(pickMarks(before))
    expect(pickMarks(await read(colleague.api))).toEqual(pickMarks(theirs))
    expect(await readAsGuest(ana)).toMatchObject({
      my_rating: 5,
      my_color_label: 'yellow',
      like_count: seen.like_count,
    })
    expect((await rate(ana, 1)).body).toEqual(feedbackResponse('updated'))
    expect((await read()).average_rating).toBe(1.5)
  })

  test('are deleted with the photo, and with the event', { tags: 'database' }, async () => {
    await giveAllMarks()
    await rate(ana, 1, ids[1])
    await mark(admin, { rating: 2 }, ids[1])
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([5, 1, 2])
    await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[0]}`)
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
    expect(await read(api, ids[1])).toMatchObject({ average_rating: 1, my_rating: 2 })
    expect((await api.delete(`/api/v1/events/${event.id}`)).status).toBe(200)
    expect(countMarkRows(service, 'event_id', event.id)).toEqual([0, 0, 0])
  })

  test('stay while the event is archived, and can change again when it is restored', async () => {
    await giveAllMarks()
    const before = await read()
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expect(pickMarks(await read())).toEqual(pickMarks(before))
    await api.post(`/api/v1/events/${event.id}/restore`, {})
    const again = await enterAsGuest(service, event)
    expect((await rate(again, 2)).body).toEqual(feedbackResponse('created'))
    expect((await read()).average_rating).toBe(3)
  })
})

test('simultaneous equal marks of one guest or account leave one row, toggles as many as are odd', {
  tags: 'database',
}, async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => rate(ana, 4)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([1, 1, 0])
  expect(await read()).toMatchObject({ average_rating: 4, feedback_count: 1 })

  await Promise.all(Array.from({ length: 10 }, () => like(ana)))
  expect((await read()).like_count).toBe(0)
  await Promise.all(Array.from({ length: 7 }, () => like(ana)))
  expect((await read()).like_count).toBe(1)

  await Promise.all(Array.from({ length: 10 }, (_, index) => mark(admin, { rating: (index % 5) + 1 })))
  expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([2, 1, 1])
})

test('marks on a photo that is being deleted are stored before it or rejected', { tags: 'database' }, async () => {
  const guests = await Promise.all(Array.from({ length: 8 }, () => enterAsGuest(service, event)))
  const [, ...answers] = await Promise.all([
    admin.delete(`/api/admin/photos/${event.id}/photos/${ids[0]}`),
    ...guests.map((guest) => rate(guest, 5)),
    ...guests.map(() => mark(admin, { rating: 3 })),
  ])
  for (const { status } of answers) expect([200, 404]).toContain(status)
  expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
})

describe('PUT /api/admin/photos/{event_id}/photos/{photo_id}/mark', () => {
  const set = { rating: 4, color_label: 'purple' }

  test('sets the own rating and color, keeps the value of a key that is not sent, and clears by null', {
    tags: 'database',
  }, async () => {
    await mark(admin, set)
    expect(await read()).toMatchObject({ rating: 4, color_label: 'purple', ...emptyMarks })
    for (const [body, my_rating, my_color_label] of [
      [set, 4, 'purple'],
      [set, 4, 'purple'],
      [{ rating: 2 }, 2, 'purple'],
      [{ color_label: 'red' }, 2, 'red'],
      [{}, 2, 'red'],
      [{ rating: null }, null, 'red'],
      [{ rating: null, color_label: null }, null, null],
      [{ rating: null, color_label: null }, null, null],
    ] as const) {
      const { status, body: marked } = await mark(admin, body)
      expect([status, marked.my_rating, marked.my_color_label]).toEqual([200, my_rating, my_color_label])
      expect(await read()).toMatchObject({ my_rating, my_color_label })
    }
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test('rejects invalid values, unknown keys and a body that is not an object', async () => {
    for (const rating of [0, 6, -1, 2.5, '4', '', true, [4]])
      expectInvalidField(await mark(admin, { rating }), 'rating')
    for (const color_label of ['orange', 'Purple', '', 1, true, ['red']]) {
      expectInvalidField(await mark(admin, { color_label }), 'color_label')
    }
    expectInvalidField(await mark(admin, { ...set, my_rating: 4 }), 'my_rating')
    for (const body of [[], 'red', 4, null]) expectProblem(await mark(admin, body), 400, 'VALIDATION_ERROR')
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test('marks hidden photos and drafts too, but no photo of another event (404) or archived event (409)', async () => {
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    expect((await mark(admin, set)).status).toBe(200)
    expect(await read()).toMatchObject({ my_rating: 4, visibility: 'hidden' })
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await mark(admin, { rating: null }), 409, 'EVENT_ARCHIVED')
    expect(await read()).toMatchObject({ my_rating: 4, my_color_label: 'purple' })
    const theirs = ids[0]
    await openEvent({ is_draft: true })
    for (const id of [theirs, 999_999]) expectProblem(await admin.put(markPath(id), set), 404, 'NOT_FOUND')
    expectProblem(await admin.put(markPath(ids[0], 999_999), set), 404, 'NOT_FOUND')
    expect((await mark(admin, set)).status).toBe(200)
  })
})

describe('marks of other admins are not', () => {
  beforeEach(async () => {
    await mark(admin, { rating: 1, color_label: 'red' })
    await mark(colleague.admin, { rating: 5, color_label: 'blue' })
  })

  test('visible or merged, or counted by filters of own marks', { tags: 'database' }, async () => {
    const views = [
      { account: service, own: { my_rating: 1, my_color_label: 'red', rating: 1, color_label: 'red' }, found: 0 },
      { account: colleague, own: { my_rating: 5, my_color_label: 'blue', rating: 5, color_label: 'blue' }, found: 1 },
    ]
    const listPhotos = async (account: Pick<Account, 'api'>, query = '') =>
      (await account.api.get(`/api/v1/events/${event.id}/photos?${query}`)).body
    for (const { account, own, found } of views) {
      expect((await listPhotos(account)).photos[0]).toMatchObject(own)
      expect(await read(account.api)).toMatchObject({ ...own, ...emptyMarks })
      expect((await account.admin.get(`/api/admin/photos/${event.id}/photo/${ids[0]}`)).body).toMatchObject(own)
      for (const query of ['my_min_rating=2', 'my_color_labels=blue']) {
        expect((await listPhotos(account, query)).pagination.filtered).toBe(found)
      }
    }
    await mark(colleague.admin, { rating: null, color_label: null })
    for (const [account, found] of [[service, 1] as const, [colleague, 0] as const]) {
      expect((await listPhotos(account, 'marked_only=true&mark_source=mine')).pagination.filtered).toBe(found)
    }
  })

  test('visible to guests or counted with theirs', async () => {
    expect(await readAsGuest(ana)).toMatchObject({ ...emptyMarks, my_rating: null, my_color_label: null })
    await rate(ana, 3)
    expect(await read()).toMatchObject({ average_rating: 3, feedback_count: 1, my_rating: 1, rating: 3 })
  })
})
