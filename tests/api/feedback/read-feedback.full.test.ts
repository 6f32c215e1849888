import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import type { TestEvent } from '../../support/fixtures/events.ts'
import { createMarkableGallery, createMarking } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
let cleo: TestClient
const { feedbackPath, give, rate, label, like, favor } = createMarking(service, () => ({ event, ids }))
beforeEach(() => open())

async function open(body = {}) {
  const opened = await createMarkableGallery(service, { moderate_comments: false, ...body })
  ;({ event, ids } = opened)
  ;[ana, ben, cleo] = opened.guests
}

const comment = (guest: TestClient, comment_text: string, id?: number) =>
  give(guest, { feedback_type: 'comment', comment_text }, id)
const loadFeedback = (client: TestClient, query = '') => client.get(feedbackPath() + query)
const loadOwnFeedback = (client: TestClient, query = '') => client.get(`/api/gallery/${event.slug}/my-feedback${query}`)
const settings = (client: TestClient) => client.get(`/api/gallery/${event.slug}/feedback-settings`)

const noOwnFeedback = {
  my_rating: null,
  my_color_label: null,
  is_liked: false,
  is_favorited: false,
  my_comment_count: 0,
}

async function giveAllFeedback() {
  await rate(ana, 5)
  await rate(ben, 4)
  await label(ana, 'green')
  await like(ben)
  await favor(ana)
  await comment(ana, 'By Ana')
  await comment(ben, 'By Ben')
}

describe('the feedback of a photo', () => {
  test('contains all comments, all counts, and the own feedback of the guest', async () => {
    await giveAllFeedback()
    const { status, body } = await loadFeedback(ana)
    expect(status).toBe(200)
    expect(body).toEqual({
      feedback: [
        {
          id: expect.any(Number),
          feedback_type: 'comment',
          comment_text: 'By Ana',
          guest_name: null,
          is_own: true,
          is_visible: true,
          created_at: expect.stringMatching(/Z$/),
        },
        expect.objectContaining({ comment_text: 'By Ben', is_own: false }),
      ],
      summary: {
        average_rating: 4.5,
        rating_count: 2,
        feedback_count: 2,
        like_count: 1,
        favorite_count: 1,
        comment_count: 2,
      },
      color_labels: { green: 1 },
      my_feedback: {
        my_rating: 5,
        my_color_label: 'green',
        is_liked: false,
        is_favorited: true,
        my_comment_count: 1,
      },
      pagination: { page: 1, limit: 50, total: 2, pages: 1 },
    })
  })

  test('of others is shown to guests only if the event allows it, and always to operators', async () => {
    await giveAllFeedback()
    await api.patch(`/api/v1/events/${event.id}`, { show_feedback_to_guests: false })
    const none = { average_rating: 0, rating_count: 0, feedback_count: 0, like_count: 0, comment_count: 0 }
    expect((await loadFeedback(ana)).body).toMatchObject({
      feedback: [{ comment_text: 'By Ana' }],
      summary: none,
      color_labels: {},
      my_feedback: { my_rating: 5, is_favorited: true },
      pagination: { total: 1 },
    })
    const { body } = await loadFeedback(cleo)
    expect(body).toMatchObject({ feedback: [], summary: none, my_feedback: noOwnFeedback })
    expect((await loadOwnFeedback(ana)).body.feedback).toMatchObject([{ my_rating: 5 }])
    expect((await loadFeedback(admin)).body).toMatchObject({
      feedback: [{ is_own: false }, { is_own: false }],
      summary: { rating_count: 2 },
      my_feedback: noOwnFeedback,
    })
  })

  test('is paged in the order of writing', { tags: 'database' }, async () => {
    for (let number = 1; number <= 5; number++) await comment(number % 2 ? ana : ben, `Number ${number}`)
    const page = async (number: number) => (await loadFeedback(ana, `?limit=2&page=${number}`)).body
    const texts = await Promise.all([1, 2, 3, 4].map(async (number) => (await page(number)).feedback))
    expect(texts.map((list) => list.map((one: { comment_text: string }) => one.comment_text))).toEqual([
      ['Number 1', 'Number 2'],
      ['Number 3', 'Number 4'],
      ['Number 5'],
      [],
    ])
    expect((await page(1)).pagination).toEqual({ page: 1, limit: 2, total: 5, pages: 3 })
    expectInvalidField(await loadFeedback(ana, '?limit=101'), 'limit')
    expectInvalidField(await loadFeedback(ana, '?page=0'), 'page')
  })
})

test('my feedback is what the guest has given to each photo that is not hidden, with the counts', {
  tags: 'database',
}, async () => {
  await giveAllFeedback()
  await comment(ana, 'Second', ids[1])
  await comment(ana, 'Third', ids[1])
  expect((await loadOwnFeedback(ana)).body).toEqual({
    feedback: [
      {
        photo_id: ids[0],
        my_rating: 5,
        my_color_label: 'green',
        is_liked: false,
        is_favorited: true,
        my_comment_count: 1,
      },
      { ...noOwnFeedback, photo_id: ids[1], my_comment_count: 2 },
    ],
    counts: { photos: 2, rated: 1, color_labeled: 1, liked: 0, favorited: 1, comments: 3 },
    pagination: { page: 1, limit: 100, total: 2, pages: 1 },
  })
  expect((await loadOwnFeedback(ana, '?limit=1&page=2')).body).toMatchObject({
    feedback: [{ photo_id: ids[1] }],
    pagination: { total: 2, pages: 2 },
  })
  const none = { photos: 0, rated: 0, color_labeled: 0, liked: 0, favorited: 0, comments: 0 }
  for (const client of [cleo, admin]) {
    expect((await loadOwnFeedback(client)).body).toMatchObject({ feedback: [], counts: none })
  }
  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
  expect((await loadOwnFeedback(ana)).body).toMatchObject({
    feedback: [{ photo_id: ids[1] }],
    counts: { photos: 1, favorited: 0 },
  })
})

test('the feedback settings are those of the event', async () => {
  await open({ allow_likes: false, require_guest_name: true })
  const expected = {
    feedback_enabled: true,
    allow_ratings: true,
    allow_color_labels: true,
    allow_comments: true,
    allow_likes: false,
    allow_favorites: true,
    moderate_comments: false,
    show_feedback_to_guests: true,
    require_guest_name: true,
    ask_guest_name: false,
    allow_notes: false,
    identity_mode: 'guest',
  }
  for (const client of [ana, admin]) expect((await settings(client)).body).toEqual(expected)
})
