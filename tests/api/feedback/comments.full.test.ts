import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import type { TestEvent } from '../../support/fixtures/events.ts'
import { countMarkRows, createMarkableGallery, createMarking, feedbackResponse } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
let cleo: TestClient
const { feedbackPath, give, rate, label, like, favor, read } = createMarking(service, () => ({ event, ids }))
beforeEach(() => openEvent({ moderate_comments: false }))

async function openEvent(body = {}) {
  const opened = await createMarkableGallery(service, body)
  ;({ event, ids } = opened)
  ;[ana, ben, cleo] = opened.guests
}

const postComment = (guest: TestClient, comment_text: unknown, extraFields = {}, id?: number) =>
  give(guest, { feedback_type: 'comment', comment_text, ...extraFields }, id)
const listComments = async (guest: TestClient) =>
  (await guest.get(feedbackPath())).body.feedback as Array<Record<string, unknown>>
const listCommentTexts = async (guest: TestClient) =>
  (await listComments(guest)).map(({ comment_text }) => comment_text)
const deleteComment = (guest: TestClient, id: unknown, photoId = ids[0]) =>
  guest.delete(`${feedbackPath(photoId)}/${id}`)

describe('a comment', () => {
  test('is never toggled: each post creates one; the guest counts once', async () => {
    const [first, second] = [await postComment(ana, 'Lovely'), await postComment(ana, 'Lovely')]
    expect([first.body, second.body]).toEqual([feedbackResponse('created'), feedbackResponse('created')])
    expect(second.body.id).not.toBe(first.body.id)
    await give(ana, { feedback_type: 'rating', rating: 4 })
    await postComment(ben, 'Mine')
    expect(await listCommentTexts(ben)).toEqual(['Lovely', 'Lovely', 'Mine'])
    expect(await read()).toMatchObject({ average_rating: 4, comment_count: 3, feedback_count: 2 })
  })

  test('has 1 to 1000 characters, and is stored trimmed and in NFC, with any letters', async () => {
    const invalid = [undefined, null, '', ' \n\t', '\u200b', 5, ['a'], 'a\u0000b', 'a\ud800']
    for (const text of [...invalid, '👍'.repeat(1001), 'x'.repeat(10_000)]) {
      expectInvalidField(await postComment(ana, text), 'comment_text')
    }
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
    await postComment(ana, '  \n Sch\u0061\u0308rfer,\n bitte 👩‍👩‍👧 — Καλό! \t')
    await postComment(ana, `  ${'👍'.repeat(1000)}  `)
    expect(await listCommentTexts(ana)).toEqual(['Sch\u00e4rfer,\n bitte 👩‍👩‍👧 — Καλό!', '👍'.repeat(1000)])
  })

  test('is one of at most 100 per photo and guest: then 409 COMMENT_LIMIT_REACHED', async () => {
    await postComment(ana, 'The first')
    await changeDatabase(service, (stored) => {
      const columns = 'event_id, photo_id, guest_id, kind, comment_text, is_visible, created_at, updated_at'
      const copy = `insert into feedback (${columns}) select ${columns} from feedback where photo_id = ?`
      for (let count = 1; count < 99; count++) stored.prepare(`${copy} limit 1`).run(ids[0])
    })
    const last = await postComment(ana, 'The hundredth')
    expect(last.status).toBe(200)
    expectProblem(await postComment(ana, 'One more'), 409, 'COMMENT_LIMIT_REACHED')
    expect((await postComment(ben, 'Of somebody else')).status).toBe(200)
    await deleteComment(ana, last.body.id)
    expect((await postComment(ana, 'Again')).status).toBe(200)
  })
})

test('with moderate_comments only its author sees a comment, and it does not count, until it is approved', async () => {
  await openEvent({})
  const { id } = (await postComment(ana, 'Shy')).body
  expect(await listComments(ana)).toMatchObject([{ id, comment_text: 'Shy', is_own: true, is_visible: false }])
  expect(await listComments(ben)).toEqual([])
  expect(await read()).toMatchObject({ comment_count: 0, feedback_count: 0 })
  expect((await ana.get(feedbackPath())).body).toMatchObject({
    summary: { comment_count: 0, feedback_count: 0 },
    my_feedback: { my_comment_count: 1 },
  })
  await give(ben, { feedback_type: 'like' })
  expect(await read()).toMatchObject({ like_count: 1, feedback_count: 1 })
  expect((await admin.put(`/api/admin/feedback/${id}/approve`, {})).status).toBe(200)
  expect(await listComments(ben)).toMatchObject([{ id, is_own: false, is_visible: true }])
  expect(await read()).toMatchObject({ comment_count: 1, feedback_count: 2 })
})

describe('the name of a guest', () => {
  const listGuestRows = () =>
    readDatabase(service, (stored) => stored.prepare('select name, email from guests where event_id = ?').all(event.id))

  test('arrives with feedback and is shown at earlier comments, without the mail address', async () => {
    await postComment(ana, 'First')
    expect(await listComments(ben)).toMatchObject([{ guest_name: null }])
    await give(ana, { feedback_type: 'like', guest_name: ' Ana ', guest_email: 'ana@guests.example' })
    expect(await listComments(ben)).toMatchObject([{ guest_name: 'Ana' }])
    expect(listGuestRows()).toEqual([{ name: 'Ana', email: 'ana@guests.example' }])
    for (const client of [ana, ben, admin]) {
      expect((await client.get(feedbackPath())).bytes.toString()).not.toContain('guests.example')
    }
  })

  test('is stored only if the feedback is', async () => {
    expectInvalidField(await postComment(ana, '', { guest_name: 'Ana' }), 'comment_text')
    expectProblem(await ana.post(feedbackPath(999_999), { feedback_type: 'like', guest_name: 'Ana' }), 404, 'NOT_FOUND')
    expect(listGuestRows()).toEqual([])
  })
})

test('feedback with a guest_id is accepted only from that guest, and from a merged one with either id', async () => {
  const loadGuestId = async (guest: TestClient): Promise<string> =>
    (await guest.get(`/api/gallery/${event.slug}/session`)).body.guest.id
  const likeAs = (guest: TestClient, guest_id: unknown) => give(guest, { feedback_type: 'like', set: true, guest_id })
  const [from, into] = [await loadGuestId(ana), await loadGuestId(ben)]
  for (const id of [from, 'nobody']) expectProblem(await likeAs(ben, id), 403, 'FORBIDDEN')
  for (const id of [1, '', 'x'.repeat(101), null]) expectInvalidField(await likeAs(ana, id), 'guest_id')
  expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  expect((await likeAs(ana, from)).body).toEqual(feedbackResponse('created'))
  expect((await likeAs(ben, into)).body).toEqual(feedbackResponse('created'))
  await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from, into })
  expect((await likeAs(ana, from)).body).toEqual(feedbackResponse('updated'))
  expect((await likeAs(ana, into)).body).toEqual(feedbackResponse('updated'))
  expect((await likeAs(ben, from)).body).toEqual(feedbackResponse('updated'))
  expect(await read()).toMatchObject({ like_count: 1 })
})

describe('a guest can delete', () => {
  test('the comment of the guest itself, also after comments were switched off; it no longer counts', async () => {
    const keptId = (await postComment(ana, 'Stays')).body.id
    const { id } = (await postComment(ana, 'Goes')).body
    expect((await deleteComment(ana, id)).body).toEqual(feedbackResponse('removed', id))
    expect(await listComments(ben)).toMatchObject([{ id: keptId }])
    expect(await read()).toMatchObject({ comment_count: 1, feedback_count: 1 })
    expectProblem(await deleteComment(ana, id), 404, 'NOT_FOUND')
    await api.patch(`/api/v1/events/${event.id}`, { allow_comments: false })
    expect((await deleteComment(ana, keptId)).status).toBe(200)
    expect(await read()).toMatchObject({ comment_count: 0, feedback_count: 0 })
  })

  test('no feedback of others, no other kind, and no comment of another photo: 404', async () => {
    const theirs = (await postComment(ben, 'Of Ben')).body.id
    const own = (await postComment(ana, 'Of Ana')).body.id
    const liked = (await like(ana)).body.id
    for (const id of [theirs, liked, 999_999]) expectProblem(await deleteComment(ana, id), 404, 'NOT_FOUND')
    expectProblem(await deleteComment(ana, own, ids[1]), 404, 'NOT_FOUND')
    expect(await read()).toMatchObject({ comment_count: 2, like_count: 1 })
  })
})

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
  await postComment(ana, 'By Ana')
  await postComment(ben, 'By Ben')
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

  test('is paged in the order of writing', async () => {
    for (let number = 1; number <= 5; number++) await postComment(number % 2 ? ana : ben, `Number ${number}`)
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

test('my feedback is what the guest has given to each photo that is not hidden, with the counts', async () => {
  await giveAllFeedback()
  await postComment(ana, 'Second', {}, ids[1])
  await postComment(ana, 'Third', {}, ids[1])
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
  await openEvent({ allow_likes: false, require_guest_name: true, moderate_comments: false })
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
    allow_annotations: false,
    keep_versions: false,
    identity_mode: 'guest',
  }
  for (const client of [ana, admin]) expect((await settings(client)).body).toEqual(expected)
})
