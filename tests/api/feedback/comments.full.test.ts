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
const { feedbackPath, give, read } = createMarking(service, () => ({ event, ids }))
beforeEach(() => openEvent({ moderate_comments: false }))

async function openEvent(body = {}) {
  const opened = await createMarkableGallery(service, body)
  ;({ event, ids } = opened)
  ;[ana, ben] = opened.guests
}

const postComment = (guest: TestClient, comment_text: unknown, extraFields = {}) =>
  give(guest, { feedback_type: 'comment', comment_text, ...extraFields })
const listComments = async (guest: TestClient) =>
  (await guest.get(feedbackPath())).body.feedback as Array<Record<string, unknown>>
const listCommentTexts = async (guest: TestClient) =>
  (await listComments(guest)).map(({ comment_text }) => comment_text)
const deleteComment = (guest: TestClient, id: unknown, photoId = ids[0]) =>
  guest.delete(`${feedbackPath(photoId)}/${id}`)

describe('a comment', () => {
  test('is never toggled: each post creates one; the guest counts once', { tags: 'database' }, async () => {
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
  const like = (guest: TestClient, guest_id: unknown) => give(guest, { feedback_type: 'like', set: true, guest_id })
  const [from, into] = [await loadGuestId(ana), await loadGuestId(ben)]
  for (const id of [from, 'nobody']) expectProblem(await like(ben, id), 403, 'FORBIDDEN')
  for (const id of [1, '', 'x'.repeat(101), null]) expectInvalidField(await like(ana, id), 'guest_id')
  expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  expect((await like(ana, from)).body).toEqual(feedbackResponse('created'))
  expect((await like(ben, into)).body).toEqual(feedbackResponse('created'))
  await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from, into })
  expect((await like(ana, from)).body).toEqual(feedbackResponse('updated'))
  expect((await like(ana, into)).body).toEqual(feedbackResponse('updated'))
  expect((await like(ben, from)).body).toEqual(feedbackResponse('updated'))
  expect(await read()).toMatchObject({ like_count: 1 })
})

describe('a guest can delete', () => {
  test('an own comment, also after comments were switched off; it no longer counts', async () => {
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
    const like = (await give(ana, { feedback_type: 'like' })).body.id
    for (const id of [theirs, like, 999_999]) expectProblem(await deleteComment(ana, id), 404, 'NOT_FOUND')
    expectProblem(await deleteComment(ana, own, ids[1]), 404, 'NOT_FOUND')
    expect(await read()).toMatchObject({ comment_count: 2, like_count: 1 })
  })
})
