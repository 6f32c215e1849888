import { beforeEach, describe, expect, test } from 'vitest'
import { createEvent, enterAsGuest, type TestEvent } from '../support/events.ts'
import { did, markingIn, markRows, openToMark } from '../support/marks.ts'
import { expectInvalid, expectProblem } from '../support/problems.ts'
import { changeDatabase, inDatabase } from '../support/stored.ts'
import type { TestClient } from '../support/test-client.ts'
import { sharedService } from '../support/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
const { feedbackPath, give, read, seenBy } = markingIn(service, () => ({ event, ids }))
beforeEach(() => open({ moderate_comments: false }))

async function open(body = {}) {
  const opened = await openToMark(service, body)
  ;({ event, ids } = opened)
  ;[ana, ben] = opened.guests
}

const comment = (guest: TestClient, comment_text: unknown, more = {}) =>
  give(guest, { feedback_type: 'comment', comment_text, ...more })
const comments = async (guest: TestClient, query = '') =>
  (await guest.get(feedbackPath() + query)).body.feedback as Array<Record<string, unknown>>
const listCommentTexts = async (guest: TestClient) => (await comments(guest)).map(({ comment_text }) => comment_text)
const remove = (guest: TestClient, id: unknown, photoId = ids[0]) => guest.delete(`${feedbackPath(photoId)}/${id}`)

describe('a comment', () => {
  test('is never toggled: each post creates one', async () => {
    const [first, second] = [await comment(ana, 'Lovely'), await comment(ana, 'Lovely')]
    expect(first.body).toEqual(did('created'))
    expect(second.body).toEqual(did('created'))
    expect(second.body.id).not.toBe(first.body.id)
    expect(await listCommentTexts(ben)).toEqual(['Lovely', 'Lovely'])
    expect(await read()).toMatchObject({ comment_count: 2, feedback_count: 1 })
  })

  test('is stored trimmed and in NFC, with any letters', async () => {
    await comment(ana, '  \n Sch\u0061\u0308rfer,\n bitte 👩‍👩‍👧 — Καλό! \t')
    expect(await listCommentTexts(ana)).toEqual(['Sch\u00e4rfer,\n bitte 👩‍👩‍👧 — Καλό!'])
  })

  test('has 1 to 1000 characters without surrounding white space', async () => {
    expect((await comment(ana, `  ${'👍'.repeat(1000)}  `)).status).toBe(200)
    expect((await comment(ana, '!')).status).toBe(200)
    expectInvalid(await comment(ana, '👍'.repeat(1001)), 'comment_text')
    expectInvalid(await comment(ana, 'x'.repeat(1001)), 'comment_text')
    expectInvalid(await comment(ana, 'x'.repeat(100_000)), 'comment_text')
    expect((await seenBy(ana)).comment_count).toBe(2)
  })

  test.each([undefined, null, '', '   ', '\n\t', '\u200b', 5, ['a'], {}])('of %j returns 400', async (text) => {
    expectInvalid(await comment(ana, text), 'comment_text')
    expect(markRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test('with a NUL or half a character returns 400', async () => {
    for (const text of ['a\u0000b', 'a\ud800']) expectInvalid(await comment(ana, text), 'comment_text')
  })

  test('adds to other feedback of the guest, who counts once', async () => {
    await give(ana, { feedback_type: 'rating', rating: 4 })
    await comment(ana, 'Nice')
    await comment(ben, 'Mine')
    expect(await read()).toMatchObject({ average_rating: 4, comment_count: 2, feedback_count: 2 })
  })

  test('is one of at most 100 per photo and guest: then 409 COMMENT_LIMIT_REACHED', async () => {
    await comment(ana, 'The first')
    await changeDatabase(service, (stored) => {
      const columns = 'event_id, photo_id, guest_id, kind, comment_text, is_visible, created_at, updated_at'
      const copy = `insert into feedback (${columns}) select ${columns} from feedback where photo_id = ?`
      for (let count = 1; count < 99; count++) stored.prepare(`${copy} limit 1`).run(ids[0])
    })
    const last = await comment(ana, 'The hundredth')
    expect(last.status).toBe(200)
    expectProblem(await comment(ana, 'One more'), 409, 'COMMENT_LIMIT_REACHED')
    expect((await comment(ben, 'Of somebody else')).status).toBe(200)
    await remove(ana, last.body.id)
    expect((await comment(ana, 'Again')).status).toBe(200)
  })

  test('returns 403 FEEDBACK_DISABLED where comments are switched off', async () => {
    await api.patch(`/api/v1/events/${event.id}`, { allow_comments: false })
    expectProblem(await comment(ana, 'Hello'), 403, 'FEEDBACK_DISABLED')
    expect((await give(ana, { feedback_type: 'like' })).status).toBe(200)
    await api.patch(`/api/v1/events/${event.id}`, { allow_comments: true, feedback_enabled: false })
    expectProblem(await comment(ana, 'Hello'), 403, 'FEEDBACK_DISABLED')
  })
})

describe('with moderate_comments', () => {
  beforeEach(() => open({}))

  test('a comment is visible only to its author and does not count until it is approved', async () => {
    const { id } = (await comment(ana, 'Shy')).body
    expect(await comments(ana)).toMatchObject([{ id, comment_text: 'Shy', is_own: true, is_visible: false }])
    expect(await comments(ben)).toEqual([])
    expect(await read()).toMatchObject({ comment_count: 0, feedback_count: 0 })
    expect((await ana.get(feedbackPath())).body).toMatchObject({
      summary: { comment_count: 0, feedback_count: 0 },
      my_feedback: { my_comment_count: 1 },
    })
    expect((await admin.put(`/api/admin/feedback/${id}/approve`, {})).status).toBe(200)
    expect(await comments(ben)).toMatchObject([{ id, is_own: false, is_visible: true }])
    expect(await read()).toMatchObject({ comment_count: 1, feedback_count: 1 })
  })

  test('all other feedback is visible at once', async () => {
    await give(ana, { feedback_type: 'like' })
    expect(await read()).toMatchObject({ like_count: 1, feedback_count: 1 })
  })
})

describe('the name of a guest', () => {
  const guestRows = () =>
    inDatabase(service, (stored) => stored.prepare('select name, email from guests where event_id = ?').all(event.id))

  test('arrives with feedback and is shown at earlier comments, without the mail address', async () => {
    await comment(ana, 'First')
    expect(await comments(ben)).toMatchObject([{ guest_name: null }])
    await give(ana, { feedback_type: 'like', guest_name: ' Ana ', guest_email: 'ana@guests.example' })
    expect(await comments(ben)).toMatchObject([{ guest_name: 'Ana' }])
    expect(guestRows()).toEqual([{ name: 'Ana', email: 'ana@guests.example' }])
    for (const client of [ana, ben, admin]) {
      expect((await client.get(feedbackPath())).bytes.toString()).not.toContain('guests.example')
    }
  })

  test('is stored only if the feedback is', async () => {
    expectInvalid(await comment(ana, '', { guest_name: 'Ana' }), 'comment_text')
    expectProblem(await ana.post(feedbackPath(999_999), { feedback_type: 'like', guest_name: 'Ana' }), 404, 'NOT_FOUND')
    expect(guestRows()).toEqual([])
  })

  test('given once is enough where a name is required', async () => {
    await open({ require_guest_name: true })
    expectInvalid(await comment(ana, 'Hello'), 'guest_name')
    expect((await comment(ana, 'Hello', { guest_name: 'Ana' })).status).toBe(200)
    expect((await comment(ana, 'And again')).status).toBe(200)
    expectInvalid(await comment(ben, 'Hello'), 'guest_name')
  })
})

describe('a guest can delete', () => {
  test('an own comment, also a pending one, which then no longer counts', async () => {
    const kept = (await comment(ana, 'Stays')).body.id
    const { id } = (await comment(ana, 'Goes')).body
    expect((await remove(ana, id)).body).toEqual(did('removed', id))
    expect(await comments(ben)).toMatchObject([{ id: kept }])
    expect(await read()).toMatchObject({ comment_count: 1, feedback_count: 1 })
    await remove(ana, kept)
    expect(await read()).toMatchObject({ comment_count: 0, feedback_count: 0 })
    expectProblem(await remove(ana, id), 404, 'NOT_FOUND')
  })

  test('an own comment after comments were switched off', async () => {
    const { id } = (await comment(ana, 'Regretted')).body
    await api.patch(`/api/v1/events/${event.id}`, { allow_comments: false })
    expect((await remove(ana, id)).status).toBe(200)
  })

  test('no feedback of others, no other kind, and no comment of another photo: 404', async () => {
    const theirs = (await comment(ben, 'Of Ben')).body.id
    const own = (await comment(ana, 'Of Ana')).body.id
    const like = (await give(ana, { feedback_type: 'like' })).body.id
    for (const id of [theirs, like, 999_999]) expectProblem(await remove(ana, id), 404, 'NOT_FOUND')
    expectProblem(await remove(ana, own, ids[1]), 404, 'NOT_FOUND')
    expect(await read()).toMatchObject({ comment_count: 2, like_count: 1 })
  })

  test('no comment of a hidden photo', async () => {
    const { id } = (await comment(ana, 'Hello')).body
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    expectProblem(await remove(ana, id), 404, 'NOT_FOUND')
  })

  test('no comment without being a guest of this gallery', async () => {
    const { id } = (await comment(ana, 'Hello')).body
    expectProblem(await remove(anonymous, id), 401, 'NO_TOKEN')
    expectProblem(await remove(await enterAsGuest(service, await createEvent(api)), id), 403, 'FORBIDDEN')
    expectProblem(await remove(admin, id), 403, 'FORBIDDEN')
    expect(await listCommentTexts(ben)).toEqual(['Hello'])
  })
})
