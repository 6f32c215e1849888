import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import type { TestEvent } from '../../support/fixtures/events.ts'
import { countMarkRows, createMarkableGallery, createMarking, emptyMarks } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const colleague: Account = await createAccount(service, 'super_admin')

let event: TestEvent
let ids: [number, number]
let ana: TestClient
const { markPath, rate, mark, read, readAsGuest } = createMarking(service, () => ({ event, ids }))
beforeEach(() => open())

async function open(body = {}) {
  const opened = await createMarkableGallery(service, body)
  ;({ event, ids } = opened)
  ;[ana] = opened.guests
}

describe('PUT /api/admin/photos/{event_id}/photos/{photo_id}/mark', () => {
  const set = { rating: 4, color_label: 'purple' }

  test('sets the own rating and color', { tags: 'database' }, async () => {
    const { status, body } = await mark(admin, set)
    expect(status).toBe(200)
    expect(body).toMatchObject({ my_rating: 4, my_color_label: 'purple' })
    expect(await read()).toMatchObject({
      my_rating: 4,
      my_color_label: 'purple',
      rating: 4,
      color_label: 'purple',
      ...emptyMarks,
    })
  })

  test('keeps the value of a key that is not sent, and clears by null; a repeat does not toggle', async () => {
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
    await open({ is_draft: true })
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

  test('visible or merged, in the list and in the single photo of the public and of the admin API', async () => {
    const views = [
      { account: { admin, api }, own: { my_rating: 1, my_color_label: 'red', rating: 1, color_label: 'red' } },
      { account: colleague, own: { my_rating: 5, my_color_label: 'blue', rating: 5, color_label: 'blue' } },
    ]
    for (const { account, own } of views) {
      expect((await account.api.get(`/api/v1/events/${event.id}/photos`)).body.photos[0]).toMatchObject(own)
      expect(await read(account.api)).toMatchObject({ ...own, ...emptyMarks })
      expect((await account.admin.get(`/api/admin/photos/${event.id}/photo/${ids[0]}`)).body).toMatchObject(own)
    }
  })

  test('counted by filters of own marks', { tags: 'database' }, async () => {
    const filtered = async ({ api }: Pick<Account, 'api'>, query: string) =>
      (await api.get(`/api/v1/events/${event.id}/photos?${query}`)).body.pagination.filtered
    expect(await filtered(service, 'my_min_rating=2')).toBe(0)
    expect(await filtered(colleague, 'my_min_rating=2')).toBe(1)
    expect(await filtered(service, 'my_color_labels=blue')).toBe(0)
    expect(await filtered(colleague, 'my_color_labels=blue')).toBe(1)
    await mark(colleague.admin, { rating: null, color_label: null })
    expect(await filtered(service, 'marked_only=true&mark_source=mine')).toBe(1)
    expect(await filtered(colleague, 'marked_only=true&mark_source=mine')).toBe(0)
  })

  test('visible to guests or counted with theirs', async () => {
    expect(await readAsGuest(ana)).toMatchObject({ ...emptyMarks, my_rating: null, my_color_label: null })
    await rate(ana, 3)
    expect(await read()).toMatchObject({ average_rating: 3, feedback_count: 1, my_rating: 1, rating: 3 })
  })
})
