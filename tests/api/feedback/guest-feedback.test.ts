import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import type { TestEvent } from '../../support/fixtures/events.ts'
import {
  countMarkRows,
  createMarkableGallery,
  createMarking,
  emptyMarks,
  feedbackResponse,
} from '../../support/fixtures/marks.ts'
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
const expectNoRows = () => expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])

test('a rating is created, updated when it changes or is sent again, and removed by 0, with one id', async () => {
  expect((await rate(ana, 0)).body).toEqual(feedbackResponse('removed', null))
  const first = await rate(ana, 1)
  expect([first.status, first.body]).toEqual([200, feedbackResponse('created')])
  const { id } = first.body
  for (const stars of [2, 3, 4, 5, 5]) {
    expect((await rate(ana, stars)).body).toEqual(feedbackResponse('updated', id))
    expect((await readAsGuest(ana)).my_rating).toBe(stars)
  }
  expect((await readAsGuest(ben)).my_rating).toBeNull()
  expect((await rate(ana, 0)).body).toEqual(feedbackResponse('removed', id))
  expect(await readAsGuest(ana)).toMatchObject({ my_rating: null, ...emptyMarks })
})

test('a color sent again is removed; another one replaces it; null clears it', async () => {
  expect((await label(ana, null)).body).toEqual(feedbackResponse('removed', null))
  const first = (await label(ana, 'red')).body
  expect(first).toEqual(feedbackResponse('created'))
  expect((await label(ana, 'red')).body).toEqual(feedbackResponse('removed', first.id))
  expect(await readAsGuest(ana)).toMatchObject({ my_color_label: null, color_labels: {} })
  const { id } = (await label(ana, 'red')).body
  expect((await label(ana, 'blue')).body).toEqual(feedbackResponse('updated', id))
  expect(await readAsGuest(ana)).toMatchObject({ my_color_label: 'blue', color_labels: { blue: 1 } })
  expect((await label(ana, null)).body).toEqual(feedbackResponse('removed', id))
  expect((await readAsGuest(ana)).my_color_label).toBeNull()
})

test('a like and a favorite sent again are removed, and do not affect the other kinds', async () => {
  await rate(ana, 5)
  await label(ana, 'green')
  const others = { my_rating: 5, my_color_label: 'green' }
  for (const [feedback_type, field, count] of [
    ['like', 'is_liked', 'like_count'],
    ['favorite', 'is_favorited', 'favorite_count'],
  ] as const) {
    const first = (await give(ana, { feedback_type })).body
    expect(first).toEqual(feedbackResponse('created'))
    expect(await readAsGuest(ana)).toMatchObject({ [field]: true, [count]: 1, ...others })
    expect(await readAsGuest(ben)).toMatchObject({ [field]: false, [count]: 1 })
    expect((await give(ana, { feedback_type })).body).toEqual(feedbackResponse('removed', first.id))
    expect(await readAsGuest(ana)).toMatchObject({ [field]: false, [count]: 0, ...others })
  }
})

test('`set` states what a mark must be, however often and however many times at once it is sent', async () => {
  for (const [mark, field, value, none] of [
    [{ feedback_type: 'like' }, 'is_liked', true, false],
    [{ feedback_type: 'favorite' }, 'is_favorited', true, false],
    [{ feedback_type: 'color_label', color_label: 'red' }, 'my_color_label', 'red', null],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => give(ana, { ...mark, set: true })))
    const created = answers.filter(({ body }) => body.created)
    expect([created.length, answers.filter(({ body }) => body.updated).length]).toEqual([1, 7])
    expect(await readAsGuest(ana)).toMatchObject({ [field]: value })
    const id = created[0]?.body.id
    expect((await give(ana, { ...mark, set: false })).body).toEqual(feedbackResponse('removed', id))
    expect((await give(ana, { ...mark, set: false })).body).toEqual(feedbackResponse('removed', null))
    expect(await readAsGuest(ana)).toMatchObject({ [field]: none, ...emptyMarks })
  }
  const { id } = (await label(ana, 'red')).body
  const color = { feedback_type: 'color_label' }
  expect((await give(ana, { ...color, color_label: 'blue', set: true })).body).toEqual(feedbackResponse('updated', id))
  expectInvalidField(await give(ana, { ...color, set: true }), 'color_label')
  expect((await give(ana, { ...color, set: false })).body).toEqual(feedbackResponse('removed', id))
  // A rating ignores it.
  await give(ana, { feedback_type: 'rating', rating: 4, set: false })
  expect((await readAsGuest(ana)).my_rating).toBe(4)
})

test('invalid feedback returns 400 and changes nothing; an unknown key is ignored', async () => {
  for (const rating of [undefined, null, -1, 6, 4.5, '5', true, [5]])
    expectInvalidField(await rate(ana, rating), 'rating')
  for (const color of [undefined, 'orange', 'Red', 'all', '', 1, ['red']]) {
    expectInvalidField(await label(ana, color), 'color_label')
  }
  for (const feedback_type of ['stars', '', null, ['like'], undefined]) {
    expectInvalidField(await give(ana, { feedback_type, rating: 5 }), 'feedback_type')
  }
  for (const set of [1, 'yes', null]) expectInvalidField(await give(ana, { feedback_type: 'like', set }), 'set')
  for (const id of ['abc', '0', '-1', '1.5', '9007199254740992']) {
    expectInvalidField(await ana.post(feedbackPath(id), { feedback_type: 'like' }), 'photo_id')
  }
  expectNoRows()
  expect((await give(ana, { feedback_type: 'like', something: 'else' })).body).toEqual(feedbackResponse('created'))
})

describe('feedback that is not allowed', () => {
  const bodies = Object.entries({
    allow_ratings: { feedback_type: 'rating', rating: 5 },
    allow_color_labels: { feedback_type: 'color_label', color_label: 'red', set: true },
    allow_likes: { feedback_type: 'like', set: true },
    allow_favorites: { feedback_type: 'favorite', set: true },
    allow_comments: { feedback_type: 'comment', comment_text: 'Hello' },
  })
  const change = (body: object) => api.patch(`/api/v1/events/${event.id}`, body)

  test('by a flag is 403 FEEDBACK_DISABLED, the others stay open; feedback_enabled switches all off', async () => {
    for (const [flag] of bodies) {
      await change({ [flag]: false })
      for (const [ofFlag, body] of bodies) {
        const answer = await give(ana, body)
        if (ofFlag === flag) expectProblem(answer, 403, 'FEEDBACK_DISABLED')
        else expect(answer.status).toBe(200)
      }
      await change({ [flag]: true })
    }
    await change({ feedback_enabled: false })
    for (const [, body] of bodies) expectProblem(await give(ana, body, ids[1]), 403, 'FEEDBACK_DISABLED')
    expect(countMarkRows(service, 'photo_id', ids[1])).toEqual([0, 0, 0])
    // Clearing is switched off, too, and existing feedback stays.
    expectProblem(await rate(ana, 0), 403, 'FEEDBACK_DISABLED')
    expect(await read()).toMatchObject({ average_rating: 5, feedback_count: 1 })
  })

  test('without a name where one is required returns 400 with the path guest_name', async () => {
    await change({ require_guest_name: true })
    for (const guest_name of [undefined, null, '', '   ', 1]) {
      expectInvalidField(await give(ana, { feedback_type: 'like', guest_name }), 'guest_name')
    }
    const named = { feedback_type: 'like', guest_name: 'Ana' }
    expectInvalidField(await give(ana, { ...named, guest_email: 'no address' }), 'guest_email')
    expectNoRows()
    expect((await give(ana, { ...named, guest_email: 'ana@guests.example' })).body).toEqual(feedbackResponse('created'))
    expect((await like(ana)).body).toEqual(feedbackResponse('removed'))
  })

  test('for a hidden photo is 404 and changes nothing', async () => {
    await rate(ana, 5)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    for (const stars of [0, 1]) expectProblem(await rate(ana, stars), 404, 'NOT_FOUND')
    expect(await read()).toMatchObject({ average_rating: 5, visibility: 'hidden' })
  })
})
