import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import {
  countMarkRows,
  createMarkableGallery,
  createMarking,
  emptyMarks,
  feedbackResponse,
} from '../../support/fixtures/marks.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
const { feedbackPath, give, rate, label, like, read, readAsGuest } = createMarking(service, () => ({ event, ids }))
beforeEach(() => openEvent())

async function openEvent(body = {}) {
  const opened = await createMarkableGallery(service, body)
  ;({ event, ids } = opened)
  ;[ana, ben] = opened.guests
}

describe('a rating by a guest', () => {
  test('is created, updated when it changes, and removed by 0, with one id', async () => {
    const first = await rate(ana, 4)
    expect(first.status).toBe(200)
    expect(first.body).toEqual(feedbackResponse('created'))
    expect((await rate(ana, 2)).body).toEqual(feedbackResponse('updated', first.body.id))
    expect((await readAsGuest(ana)).my_rating).toBe(2)
    expect((await rate(ana, 0)).body).toEqual(feedbackResponse('removed', first.body.id))
    expect(await readAsGuest(ana)).toMatchObject({ my_rating: null, ...emptyMarks })
  })

  test('sent again stays: it does not toggle', async () => {
    const { id } = (await rate(ana, 3)).body
    expect((await rate(ana, 3)).body).toEqual(feedbackResponse('updated', id))
    expect((await readAsGuest(ana)).my_rating).toBe(3)
  })

  test('cleared where there is none changes nothing', async () => {
    expect((await rate(ana, 0)).body).toEqual(feedbackResponse('removed', null))
    expect(await read()).toMatchObject(emptyMarks)
  })

  test.each([1, 2, 3, 4, 5])('can be %i', async (stars) => {
    expect((await rate(ana, stars)).status).toBe(200)
    expect((await readAsGuest(ana)).my_rating).toBe(stars)
  })
})

describe('a color by a guest', () => {
  test('sent again is removed, and sent a third time is created again', async () => {
    const first = (await label(ana, 'red')).body
    expect(first).toEqual(feedbackResponse('created'))
    expect((await label(ana, 'red')).body).toEqual(feedbackResponse('removed', first.id))
    expect(await readAsGuest(ana)).toMatchObject({ my_color_label: null, color_labels: {} })
    expect((await label(ana, 'red')).body).toEqual(feedbackResponse('created'))
  })

  test('is replaced by another one', async () => {
    const { id } = (await label(ana, 'red')).body
    expect((await label(ana, 'blue')).body).toEqual(feedbackResponse('updated', id))
    expect(await readAsGuest(ana)).toMatchObject({ my_color_label: 'blue', color_labels: { blue: 1 } })
  })

  test('is cleared by null, also where there is none', async () => {
    expect((await label(ana, null)).body).toEqual(feedbackResponse('removed', null))
    const { id } = (await label(ana, 'purple')).body
    expect((await label(ana, null)).body).toEqual(feedbackResponse('removed', id))
    expect((await readAsGuest(ana)).my_color_label).toBeNull()
  })
})

describe.each([
  ['like', 'is_liked', 'like_count'],
  ['favorite', 'is_favorited', 'favorite_count'],
])('a %s by a guest', (feedback_type, field, count) => {
  test('sent again is removed', async () => {
    const first = (await give(ana, { feedback_type })).body
    expect(first).toEqual(feedbackResponse('created'))
    expect(await readAsGuest(ana)).toMatchObject({ [field]: true, [count]: 1 })
    expect(await readAsGuest(ben)).toMatchObject({ [field]: false, [count]: 1 })
    expect((await give(ana, { feedback_type })).body).toEqual(feedbackResponse('removed', first.id))
    expect(await readAsGuest(ana)).toMatchObject({ [field]: false, [count]: 0 })
  })

  test('does not affect the other kinds', async () => {
    for (const body of [{ feedback_type }, { feedback_type: 'rating', rating: 5 }]) await give(ana, body)
    await label(ana, 'green')
    expect(await readAsGuest(ana)).toMatchObject({ [field]: true, my_rating: 5, my_color_label: 'green' })
    await give(ana, { feedback_type })
    expect(await readAsGuest(ana)).toMatchObject({ [field]: false, my_rating: 5, my_color_label: 'green' })
  })
})

describe('a mark with the desired state', () => {
  const marks = [
    [{ feedback_type: 'like' }, 'is_liked', true, false],
    [{ feedback_type: 'favorite' }, 'is_favorited', true, false],
    [{ feedback_type: 'color_label', color_label: 'red' }, 'my_color_label', 'red', null],
  ] as const

  test.each(marks)('%j with set: true is set, however often it is sent', async (mark, field, expectedValue) => {
    const { id } = (await give(ana, { ...mark, set: true })).body
    for (let again = 0; again < 2; again++) {
      expect((await give(ana, { ...mark, set: true })).body).toEqual(feedbackResponse('updated', id))
      expect(await readAsGuest(ana)).toMatchObject({ [field]: expectedValue })
    }
    expect(countMarkRows(service, 'photo_id', ids[0])[0]).toBe(1)
  })

  test.each(marks)('%j with set: false is removed, however often it is sent', async (mark, field, _given, none) => {
    const { id } = (await give(ana, mark)).body
    expect((await give(ana, { ...mark, set: false })).body).toEqual(feedbackResponse('removed', id))
    expect((await give(ana, { ...mark, set: false })).body).toEqual(feedbackResponse('removed', null))
    expect(await readAsGuest(ana)).toMatchObject({ [field]: none, ...emptyMarks })
  })

  test.each(marks)('%j sent many times at once with set: true is one', async (mark, field, expectedValue) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => give(ana, { ...mark, set: true })))
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.updated)).toHaveLength(7)
    expect(await readAsGuest(ana)).toMatchObject({ [field]: expectedValue })
  })

  test('changes a color to another, and clears it without naming one', async () => {
    const { id } = (await label(ana, 'red')).body
    const blue = { feedback_type: 'color_label', color_label: 'blue', set: true }
    expect((await give(ana, blue)).body).toEqual(feedbackResponse('updated', id))
    expect((await give(ana, { feedback_type: 'color_label', set: false })).body).toEqual(
      feedbackResponse('removed', id),
    )
    expectInvalidField(await give(ana, { feedback_type: 'color_label', set: true }), 'color_label')
  })

  test('is ignored for a rating', async () => {
    expect((await give(ana, { feedback_type: 'rating', rating: 4, set: false })).body).toEqual(
      feedbackResponse('created'),
    )
    expect((await readAsGuest(ana)).my_rating).toBe(4)
  })

  test.each([1, 'yes', null, {}])('set: %j returns 400', async (set) => {
    expectInvalidField(await give(ana, { feedback_type: 'like', set }), 'set')
  })
})

describe('invalid feedback returns 400 and changes nothing', () => {
  test.each([{}, { color_label: 'red' }, { rating: null }])('a rating without its value: %j', async (body) => {
    expectInvalidField(await give(ana, { feedback_type: 'rating', ...body }), 'rating')
  })

  test('a color without its value', async () => {
    expectInvalidField(await give(ana, { feedback_type: 'color_label', rating: 3 }), 'color_label')
  })

  test.each([-1, 6, 4.5, 1e9, '5', '', true, [5], {}])('the rating %j', async (rating) => {
    expectInvalidField(await rate(ana, rating), 'rating')
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test.each(['orange', 'Red', 'red,blue', 'all', '', 1, true, ['red'], {}])('the color %j', async (color) => {
    expectInvalidField(await label(ana, color), 'color_label')
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test.each(['stars', '', null, 1, ['like'], undefined])('the kind %j', async (feedback_type) => {
    expectInvalidField(await give(ana, { feedback_type, rating: 5 }), 'feedback_type')
  })

  test('an invalid photo id', async () => {
    for (const id of ['abc', '0', '-1', '1.5', '9007199254740992']) {
      expectInvalidField(await ana.post(feedbackPath(id), { feedback_type: 'like' }), 'photo_id')
    }
  })

  test('but an unknown key is ignored', async () => {
    expect((await give(ana, { feedback_type: 'like', something: 'else' })).body).toEqual(feedbackResponse('created'))
  })
})

describe('a kind that is switched off', () => {
  const kinds = { rating: { rating: 5 }, color_label: { color_label: 'red' }, like: {}, favorite: {} }
  const bodies = Object.entries(kinds).map(([feedback_type, value]) => ({ feedback_type, ...value }))

  test.each([
    ['allow_ratings', 'rating'],
    ['allow_color_labels', 'color_label'],
    ['allow_likes', 'like'],
    ['allow_favorites', 'favorite'],
  ])('by %s returns 403 FEEDBACK_DISABLED, the others stay open', async (flag, disabledKind) => {
    await openEvent({ [flag]: false })
    for (const body of bodies) {
      const answer = await give(ana, body)
      if (body.feedback_type === disabledKind) expectProblem(answer, 403, 'FEEDBACK_DISABLED')
      else expect(answer.status).toBe(200)
    }
    expect(countMarkRows(service, 'photo_id', ids[0])[0]).toBe(3)
  })

  test('by feedback_enabled is every kind', async () => {
    await openEvent({ feedback_enabled: false })
    for (const body of bodies) expectProblem(await give(ana, body), 403, 'FEEDBACK_DISABLED')
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test('is off at once, also for clearing, and existing feedback stays', async () => {
    await rate(ana, 5)
    await api.patch(`/api/v1/events/${event.id}`, { allow_ratings: false })
    for (const stars of [0, 4]) expectProblem(await rate(ana, stars), 403, 'FEEDBACK_DISABLED')
    expect(await read()).toMatchObject({ average_rating: 5, feedback_count: 1 })
    await api.patch(`/api/v1/events/${event.id}`, { allow_ratings: true })
    expect((await rate(ana, 4)).body).toEqual(feedbackResponse('updated'))
  })
})

test('a missing guest_name where it is required returns 400 with its path', async () => {
  await openEvent({ require_guest_name: true })
  for (const guest_name of [undefined, null, '', '   ']) {
    expectInvalidField(await give(ana, { feedback_type: 'like', guest_name }), 'guest_name')
  }
  expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  const named = { feedback_type: 'like', guest_name: 'Ana', guest_email: 'ana@guests.example' }
  expect((await give(ana, named)).body).toEqual(feedbackResponse('created'))
  expectInvalidField(await give(ben, { ...named, guest_name: 1 }), 'guest_name')
  expectInvalidField(await give(ben, { ...named, guest_email: 'no address' }), 'guest_email')
})

describe('feedback is rejected', () => {
  test('for a hidden photo: 404', async () => {
    await rate(ana, 5)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    for (const stars of [0, 1]) expectProblem(await rate(ana, stars), 404, 'NOT_FOUND')
    expect(await read()).toMatchObject({ average_rating: 5, visibility: 'hidden' })
  })

  test('for a photo of another event and for an unknown one: 404', async () => {
    const other = await createEvent(api)
    const [theirs] = await uploadPhotos(api, other.id, 1)
    for (const id of [theirs, 999_999]) {
      expectProblem(await ana.post(feedbackPath(id), { feedback_type: 'like' }), 404, 'NOT_FOUND')
    }
    expect(countMarkRows(service, 'photo_id', theirs as number)).toEqual([0, 0, 0])
  })

  test('for a deleted photo: 404', async () => {
    await rate(ana, 5)
    await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[0]}`)
    expectProblem(await rate(ana, 4), 404, 'NOT_FOUND')
  })

  test('before reveal_at: 404', async () => {
    await openEvent({ reveal_at: '2999-01-01' })
    expectProblem(await rate(ana, 5), 404, 'NOT_FOUND')
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test('in an expired gallery: 410, with any credential', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const expiringEvent = await createEvent(timed.api, { expires_at: new Date(clock.now() + 3_600_000).toISOString() })
    const [photoId] = await uploadPhotos(timed.api, expiringEvent.id, 1)
    const guest = await enterAsGuest(timed, expiringEvent)
    const post = (client: TestClient) =>
      client.post(feedbackPath(photoId, expiringEvent.slug), { feedback_type: 'like' })
    expect((await post(guest)).status).toBe(200)
    clock.advance(3_600_001)
    for (const client of [guest, timed.anonymous]) expectProblem(await post(client), 410, 'GALLERY_EXPIRED')
  })

  test('in a draft, archived or unknown gallery: 404, with any credential', async () => {
    const draft = await createEvent(api, { is_draft: true })
    const [photoId] = await uploadPhotos(api, draft.id, 1)
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    for (const client of [ana, anonymous]) {
      for (const path of [feedbackPath(), feedbackPath(photoId, draft.slug), feedbackPath(ids[0], 'nothing')]) {
        expectProblem(await client.post(path, { feedback_type: 'like' }), 404, 'NOT_FOUND')
      }
    }
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })
})

describe('feedback is only for guests of this gallery', () => {
  test('without a credential it returns 401', async () => {
    expectProblem(await like(anonymous), 401, 'NO_TOKEN')
  })

  test('with an API token it returns 401, as a guest of another gallery 403', async () => {
    expectProblem(await like(api), 401, 'INVALID_TOKEN')
    expectProblem(await like(await enterAsGuest(service, await createEvent(api))), 403, 'FORBIDDEN')
  })

  test('as an operator it returns 403, with Bearer and with the cookie', async () => {
    expectProblem(await like(admin), 403, 'FORBIDDEN')
    const cookie = { cookie: `admin_token=${admin.token}` }
    const operatorPath = `${feedbackPath()}?as=operator`
    expectProblem(await anonymous.post(operatorPath, { feedback_type: 'like' }, cookie), 403, 'FORBIDDEN')
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
  })

  test('by cookie from a page of another origin it returns 403 CROSS_ORIGIN', async () => {
    const cookie = `gallery_${event.id}=${ana.token}`
    const postByCookie = (headers: Record<string, string>) =>
      anonymous.post(feedbackPath(), { feedback_type: 'like' }, { cookie, ...headers })
    expectProblem(await postByCookie({ 'sec-fetch-site': 'cross-site' }), 403, 'CROSS_ORIGIN')
    expectProblem(await postByCookie({ origin: 'https://evil.example' }), 403, 'CROSS_ORIGIN')
    expect(countMarkRows(service, 'photo_id', ids[0])).toEqual([0, 0, 0])
    expect((await postByCookie({ 'sec-fetch-site': 'same-origin' })).body).toEqual(feedbackResponse('created'))
    expect((await postByCookie({ origin: service.url })).body).toEqual(feedbackResponse('removed'))
  })
})
