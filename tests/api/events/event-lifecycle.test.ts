import { describe, expect, test } from 'vitest'
import { expireEvents } from '../../../server/events/expire-events.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import {
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { api, anonymous } = service
await createTestWebhook(service)
const dayMs = 24 * 3600_000

const listPublishedTypes = (testService: TestService, eventId: number): string[] =>
  listAnnouncedOf(testService, eventId).map(({ type }) => type)

type State = 'draft' | 'live' | 'expired' | 'archived'

async function createEventIn(state: State): Promise<TestEvent> {
  const event = await createEvent(api, { is_draft: state === 'draft' })
  if (state === 'archived') await api.post(`/api/v1/events/${event.id}/archive`, {})
  if (state === 'expired') {
    await changeDatabase(service, (stored) =>
      stored.prepare('update events set expires_at = 1000 where id = ?').run(event.id),
    )
  }
  return event
}

describe('every transition from every state', () => {
  const created = { draft: ['event.created'], live: ['event.created', 'event.published'] }
  const archived = [...created.live, 'event.archived']
  const table: Array<[State, string, number, string | null, string[]]> = [
    ['draft', 'publish', 200, null, [...created.draft, 'event.published']],
    ['draft', 'archive', 409, 'INVALID_STATE', created.draft],
    ['draft', 'restore', 409, 'INVALID_STATE', created.draft],
    ['live', 'publish', 409, 'ALREADY_PUBLISHED', created.live],
    ['live', 'archive', 200, null, archived],
    ['live', 'restore', 409, 'INVALID_STATE', created.live],
    ['expired', 'publish', 409, 'ALREADY_PUBLISHED', created.live],
    ['expired', 'archive', 200, null, archived],
    ['expired', 'restore', 409, 'INVALID_STATE', created.live],
    ['archived', 'publish', 409, 'EVENT_ARCHIVED', archived],
    ['archived', 'archive', 409, 'EVENT_ARCHIVED', archived],
    ['archived', 'restore', 200, null, [...archived, 'event.restored']],
  ]

  test.each(table)('%s: %s returns %i %s', async (state, verb, status, code, expectedTypes) => {
    const { id } = await createEventIn(state)
    const answer = await api.post(`/api/v1/events/${id}/${verb}`, {})
    if (code) expectProblem(answer, status, code)
    else expect([answer.status, answer.body.id]).toEqual([status, id])
    expect(listPublishedTypes(service, id)).toEqual(expectedTypes)
  })

  test.each(['draft', 'live', 'expired', 'archived'] as const)('%s: DELETE removes it permanently', async (state) => {
    const { id } = await createEventIn(state)
    expect((await api.delete(`/api/v1/events/${id}`)).body).toEqual({ id, deleted: true })
    expectProblem(await api.get(`/api/v1/events/${id}`), 404, 'NOT_FOUND')
    expectProblem(await api.delete(`/api/v1/events/${id}`), 404, 'NOT_FOUND')
    expect(listPublishedTypes(service, id).at(-1)).toBe('event.deleted')
  })
})

describe('an archived event', () => {
  test('is 404 to guests, readable for owners, and accepts no change and no upload', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 404, 'NOT_FOUND')
    const read = await api.get(`/api/v1/events/${event.id}`)
    expect(read.body).toMatchObject({ is_archived: true, is_active: false, photo_count: 1 })
    expect(read.body.archived_at).toMatch(/Z$/)
    expectProblem(await api.patch(`/api/v1/events/${event.id}`, { event_name: 'Other' }), 409, 'EVENT_ARCHIVED')
    expect((await api.get(`/api/v1/events/${event.id}/photos`)).body.photos).toHaveLength(1)
  })

  test('that is restored has its photos, and its expiry if still ahead', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const before = (await api.get(`/api/v1/events/${event.id}`)).body.expires_at
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    const restored = await api.post(`/api/v1/events/${event.id}/restore`, {})
    expect(restored.body).toMatchObject({ is_archived: false, archived_at: null, expires_at: before, photo_count: 1 })
    const guest = await enterAsGuest(service, event)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).body.photos).toHaveLength(1)
  })

  test('restored after its expiry gets the default number of days from now', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const event = await createEvent(timed.api, { expiration_days: 1 })
    await timed.api.post(`/api/v1/events/${event.id}/archive`, {})
    clock.advance(2 * dayMs)
    const { body } = await timed.api.post(`/api/v1/events/${event.id}/restore`, {})
    expect(Date.parse(body.expires_at) - clock.now()).toBeGreaterThan(29 * dayMs)
  })
})

test('DELETE deletes photos and thumbnails', async () => {
  const ownService = await serviceForTest()
  const event = await createEvent(ownService.api)
  await uploadPhotos(ownService.api, event.id, 2)
  const guest = await enterAsGuest(ownService, event)
  expect(await listStoredFiles(ownService)).toHaveLength(4)
  await ownService.api.delete(`/api/v1/events/${event.id}`)
  expect(await listStoredFiles(ownService)).toEqual([])
  expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 404, 'NOT_FOUND')
})

describe('a gallery that is closed now', () => {
  const close = ({ id }: { id: number }) => service.admin.post(`/api/admin/events/${id}/close`, undefined)

  test('is gone for guests at once, expires once, and opens again with a later expiry', async () => {
    const event = await createEventIn('live')
    const guest = await enterAsGuest(service, event)
    expect((await close(event)).body).toMatchObject({ id: event.id, is_active: false })
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 410, 'GALLERY_EXPIRED')
    for (const _ of [1, 2]) await withAppContext(service, expireEvents)
    const closed = ['event.created', 'event.published', 'event.updated', 'event.expired']
    expect(listPublishedTypes(service, event.id)).toEqual(closed)
    await api.patch(`/api/v1/events/${event.id}`, { expiration_days: 1 })
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
  })

  test.each([
    ['draft', 'INVALID_STATE'],
    ['expired', 'INVALID_STATE'],
    ['archived', 'EVENT_ARCHIVED'],
  ] as const)('cannot be in the state %s before', async (state, code) => {
    expectProblem(await close(await createEventIn(state)), 409, code)
  })
})

test('event.expired is published once, and again only after the expiry was extended', async () => {
  const clock = createMovableClock()
  const timed = await serviceForTest({ edges: { clock } })
  await createTestWebhook(timed)
  const { id } = await createEvent(timed.api, { expiration_days: 1 })
  const expire = () => withAppContext(timed, (ctx) => expireEvents({ ...ctx, clock }))
  const listExpiries = () => listPublishedTypes(timed, id).filter((type) => type === 'event.expired')
  await expire()
  clock.advance(dayMs + 1000)
  await Promise.all([expire(), expire()])
  expect(listExpiries()).toHaveLength(1)

  await timed.api.patch(`/api/v1/events/${id}`, { expiration_days: 1 })
  expect((await timed.api.get(`/api/v1/events/${id}`)).body.is_active).toBe(true)
  clock.advance(dayMs + 1000)
  await expire()
  expect(listExpiries()).toHaveLength(2)

  const tomorrow = new Date(clock.now() + dayMs).toISOString()
  expect((await timed.api.patch(`/api/v1/events/${id}`, { expires_at: tomorrow })).status).toBe(200)
  clock.advance(dayMs + 1000)
  await expire()
  expect(listExpiries()).toHaveLength(3)
})

test('a restored event is published again when it expires again', async () => {
  const clock = createMovableClock()
  const timed = await serviceForTest({ edges: { clock } })
  await createTestWebhook(timed)
  await timed.admin.put('/api/admin/settings', { general_default_expiration_days: 1 })
  const { id } = await createEvent(timed.api, { expiration_days: 1 })
  const expire = () => withAppContext(timed, (ctx) => expireEvents({ ...ctx, clock }))
  clock.advance(dayMs + 1000)
  await expire()
  for (const action of ['archive', 'restore']) {
    expect((await timed.api.post(`/api/v1/events/${id}/${action}`, {})).status).toBe(200)
  }
  clock.advance(dayMs + 1000)
  await expire()
  const states = ['event.expired', 'event.archived', 'event.restored', 'event.expired']
  expect(listPublishedTypes(timed, id).slice(-4)).toEqual(states)
})

test('general_auto_archive_on_expiry archives after the expiry', async () => {
  const clock = createMovableClock()
  const timed = await serviceForTest({ edges: { clock } })
  await createTestWebhook(timed)
  await timed.admin.put('/api/admin/settings', { general_auto_archive_on_expiry: true })
  const { id } = await createEvent(timed.api, { expiration_days: 1 })
  clock.advance(dayMs + 1000)
  await withAppContext(timed, (ctx) => expireEvents({ ...ctx, clock }))
  expect(listPublishedTypes(timed, id).slice(-2)).toEqual(['event.expired', 'event.archived'])
})

test('expiry and archiving are atomic, and a failing event stops no other', async () => {
  const clock = createMovableClock()
  const timed = await serviceForTest({ edges: { clock } })
  await createTestWebhook(timed)
  await timed.admin.put('/api/admin/settings', { general_auto_archive_on_expiry: true })
  const failing = await createEvent(timed.api, { expiration_days: 1, event_name: 'First' })
  const other = await createEvent(timed.api, { expiration_days: 1 })
  const last = await createEvent(timed.api, { expiration_days: 1, event_name: 'Last' })
  clock.advance(dayMs + 1000)
  const expire = () => withAppContext(timed, (ctx) => expireEvents({ ...ctx, clock }))
  const restoreWrites = await makeWritesFail(
    timed,
    'update of is_archived on events',
    `old.id in (${failing.id}, ${last.id})`,
  )
  const types = ['event.expired', 'event.archived']
  await expire()
  expect(listPublishedTypes(timed, failing.id)).not.toContain('event.expired')
  expect(listPublishedTypes(timed, other.id).slice(-2)).toEqual(types)
  await restoreWrites()
  for (const _run of [1, 2]) await expire()
  for (const { id } of [failing, other, last]) {
    expect(listPublishedTypes(timed, id).filter((type) => types.includes(type))).toEqual(types)
  }
})

test('the share link has a route of its own', async () => {
  const { id, slug, share_token, share_url } = await createEvent(api)
  expect((await api.get(`/api/v1/events/${id}/share-link`)).body).toEqual({ slug, share_token, share_url })
  expectProblem(await anonymous.get(`/api/v1/events/${id}/share-link`), 401, 'NO_TOKEN')
})

test('an operator lets an event never expire, and gives it a date again; an API token cannot', async () => {
  const clock = createMovableClock()
  const timed = await serviceForTest({ edges: { clock } })
  await createTestWebhook(timed)
  const event = await createEvent(timed.api, { expiration_days: 1 })
  const path = `events/${event.id}`
  expectProblem(await timed.api.patch(`/api/v1/${path}`, { expires_at: null }), 400, 'VALIDATION_ERROR')
  await timed.admin.put('/api/admin/settings', { event_require_expiration: true })
  expectProblem(await timed.admin.patch(`/api/admin/${path}`, { expires_at: null }), 400, 'VALIDATION_ERROR')
  await timed.admin.put('/api/admin/settings', { event_require_expiration: false })
  expect((await timed.admin.patch(`/api/admin/${path}`, { expires_at: null })).body.expires_at).toBeNull()

  const copy = await timed.admin.post(`/api/admin/${path}/duplicate`, {})
  expect(copy.body.expires_at).toBeNull()

  clock.advance(4000 * dayMs)
  await withAppContext(timed, (ctx) => expireEvents({ ...ctx, clock }))
  expect(listPublishedTypes(timed, event.id)).not.toContain('event.expired')
  expect((await timed.api.get(`/api/v1/${path}`)).body).toMatchObject({ expires_at: null, is_active: true })
  const info = await timed.anonymous.get(`/api/gallery/${event.slug}/info`)
  expect(info.body).toMatchObject({ expires_at: null, is_expired: false })

  const dated = await timed.api.patch(`/api/v1/${path}`, { expiration_days: 1 })
  expect(Date.parse(dated.body.expires_at)).toBeLessThanOrEqual(clock.now() + dayMs)
})
