import { describe, expect, test } from 'vitest'
import { expireEvents } from '../../../server/events/expire-events.ts'
import { days } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { createSignIn } from '../../support/fixtures/sign-ins.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api, anonymous } = service
await createTestWebhook(service)

const path = ({ id }: { id: number }, verb = '') => `/api/v1/events/${id}${verb && `/${verb}`}`
const listTypes = ({ id }: { id: number }): string[] => listAnnouncedOf(service, id).map(({ type }) => type)
const expire = () => withAppContext(service, (ctx) => expireEvents({ ...ctx, clock }))
/** The session of `service.admin` ends when a test advances the clock by a day. */
const signInAgain = async () => (await createSignIn(service)).admin

const states = {
  draft: () => createEvent(api, { is_draft: true }),
  live: () => createEvent(api),
  expired: async () => {
    const event = await createEvent(api)
    await changeDatabase(service, (stored) =>
      stored.prepare('update events set expires_at = 1000 where id = ?').run(event.id),
    )
    return event
  },
  archived: async () => {
    const event = await createEvent(api)
    await api.post(path(event, 'archive'), {})
    return event
  },
}
const announced = {
  draft: ['event.created'],
  live: ['event.created', 'event.published'],
  expired: ['event.created', 'event.published'],
  archived: ['event.created', 'event.published', 'event.archived'],
}

const verbs = ['publish', 'archive', 'restore', 'close', 'delete']
/** By state, for each of the `verbs`: the announced event type, or the rejection. */
const transitions = {
  draft: ['event.published', '409 INVALID_STATE', '409 INVALID_STATE', '409 INVALID_STATE', 'event.deleted'],
  live: ['409 ALREADY_PUBLISHED', 'event.archived', '409 INVALID_STATE', 'event.updated', 'event.deleted'],
  expired: ['409 ALREADY_PUBLISHED', 'event.archived', '409 INVALID_STATE', '409 INVALID_STATE', 'event.deleted'],
  archived: ['409 EVENT_ARCHIVED', '409 EVENT_ARCHIVED', 'event.restored', '409 EVENT_ARCHIVED', 'event.deleted'],
}

test('every transition from every state is accepted and announced, or rejected', async () => {
  const admin = await signInAgain()
  for (const state of ['draft', 'live', 'expired', 'archived'] as const) {
    for (const [index, outcome] of transitions[state].entries()) {
      const verb = verbs[index] as string
      const event = await states[state]()
      expect(listTypes(event), state).toEqual(announced[state])
      const send = () => {
        if (verb === 'delete') return api.delete(path(event))
        return verb === 'close'
          ? admin.post(`/api/admin/events/${event.id}/close`, undefined)
          : api.post(path(event, verb), {})
      }
      const { status, body } = await send()
      const answer = status === 200 && body.id === event.id ? 'accepted' : `${status} ${body.code}`
      const types = listTypes(event).slice(announced[state].length)
      const expected = outcome.startsWith('event.') ? ['accepted', outcome] : [outcome]
      expect([answer, ...types], `${verb} in the state ${state}`).toEqual(expected)
    }
  }
})

test('DELETE removes the event with its photos and thumbnails for good', { tags: 'storage' }, async () => {
  const event = await createEvent(api)
  await uploadPhotos(api, event.id, 2)
  const guest = await enterAsGuest(service, event)
  const listFiles = async () => (await listStoredFiles(service)).filter((file) => file.includes(`events/${event.id}/`))
  expect(await listFiles()).toHaveLength(4)
  expect((await api.delete(path(event))).body).toEqual({ id: event.id, deleted: true })
  expect(await listFiles()).toEqual([])
  expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 404, 'NOT_FOUND')
  expectProblem(await api.get(path(event)), 404, 'NOT_FOUND')
  expectProblem(await api.delete(path(event)), 404, 'NOT_FOUND')
})

describe('an archived event', () => {
  test('is 404 to guests, readable for owners, and has its photos and expiry when it is restored', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const { expires_at } = (await api.get(path(event))).body
    await api.post(path(event, 'archive'), {})
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 404, 'NOT_FOUND')
    const { body } = await api.get(path(event))
    const archived_at = expect.stringMatching(/Z$/)
    expect(body).toMatchObject({ is_archived: true, is_active: false, photo_count: 1, archived_at })
    expectProblem(await api.patch(path(event), { event_name: 'Other' }), 409, 'EVENT_ARCHIVED')
    expect((await api.get(path(event, 'photos'))).body.photos).toHaveLength(1)

    const restored = await api.post(path(event, 'restore'), {})
    expect(restored.body).toMatchObject({ is_archived: false, archived_at: null, expires_at, photo_count: 1 })
    const again = await enterAsGuest(service, event)
    expect((await again.get(`/api/gallery/${event.slug}/photos`)).body.photos).toHaveLength(1)
  })

  test('that has expired is restored for the default number of days, and expires again', async () => {
    const event = await createEvent(api, { expiration_days: 1 })
    clock.advance(days(1) + 1000)
    await expire()
    await api.post(path(event, 'archive'), {})
    const { body } = await api.post(path(event, 'restore'), {})
    expect(Date.parse(body.expires_at) - clock.now()).toBeGreaterThan(days(29))
    clock.advance(days(30) + 1000)
    await expire()
    const types = ['event.expired', 'event.archived', 'event.restored', 'event.expired']
    expect(listTypes(event).slice(-4)).toEqual(types)
  })
})

test('a gallery closed by an operator is 410 at once, expires once, and opens with a later expiry', async () => {
  const event = await createEvent(api)
  const guest = await enterAsGuest(service, event)
  const { body } = await (await signInAgain()).post(`/api/admin/events/${event.id}/close`, undefined)
  expect(body).toMatchObject({ id: event.id, is_active: false })
  expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 410, 'GALLERY_EXPIRED')
  for (const _ of [1, 2]) await expire()
  expect(listTypes(event)).toEqual([...announced.live, 'event.updated', 'event.expired'])
  await api.patch(path(event), { expiration_days: 1 })
  expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
})

test('event.expired is published once for each expiry', async () => {
  const event = await createEvent(api, { expiration_days: 1 })
  const countExpiries = () => listTypes(event).filter((type) => type === 'event.expired').length
  await expire()
  expect(countExpiries()).toBe(0)
  const inADay = () => new Date(clock.now() + days(1)).toISOString()
  for (const [count, extend] of [() => ({ expiration_days: 1 }), () => ({ expires_at: inADay() })].entries()) {
    clock.advance(days(1) + 1000)
    await Promise.all([expire(), expire()])
    expect(countExpiries()).toBe(count + 1)
    expect((await api.patch(path(event), extend())).body.is_active).toBe(true)
  }
  clock.advance(days(1) + 1000)
  await expire()
  expect(countExpiries()).toBe(3)
})

test('with general_auto_archive_on_expiry both are atomic, and a failing event stops no other', async () => {
  const admin = await signInAgain()
  await admin.put('/api/admin/settings', { general_auto_archive_on_expiry: true })
  const create = () => createEvent(api, { expiration_days: 1 })
  const [first, other, last] = [await create(), await create(), await create()]
  clock.advance(days(1) + 1000)
  const isFailing = `old.id in (${first.id}, ${last.id})`
  const restoreWrites = await makeWritesFail(service, 'update of is_archived on events', isFailing)
  await expire()
  expect(listTypes(first)).toEqual(announced.live)
  const types = [...announced.live, 'event.expired', 'event.archived']
  expect(listTypes(other)).toEqual(types)
  await restoreWrites()
  for (const _run of [1, 2]) await expire()
  for (const event of [first, other, last]) expect(listTypes(event)).toEqual(types)
  await (await signInAgain()).put('/api/admin/settings', { general_auto_archive_on_expiry: false })
})

test('the share link has a route of its own', async () => {
  const event = await createEvent(api)
  const { slug, share_token, share_url } = event
  expect((await api.get(path(event, 'share-link'))).body).toEqual({ slug, share_token, share_url })
  expectProblem(await anonymous.get(path(event, 'share-link')), 401, 'NO_TOKEN')
})

test('an operator lets an event never expire, and gives it a date again; an API token cannot', async () => {
  const admin = await signInAgain()
  const event = await createEvent(api, { expiration_days: 1 })
  const ofAdmin = `/api/admin/events/${event.id}`
  expectProblem(await api.patch(path(event), { expires_at: null }), 400, 'VALIDATION_ERROR')
  await admin.put('/api/admin/settings', { event_require_expiration: true })
  expectProblem(await admin.patch(ofAdmin, { expires_at: null }), 400, 'VALIDATION_ERROR')
  await admin.put('/api/admin/settings', { event_require_expiration: false })
  expect((await admin.patch(ofAdmin, { expires_at: null })).body.expires_at).toBeNull()
  expect((await admin.post(`${ofAdmin}/duplicate`, {})).body.expires_at).toBeNull()

  clock.advance(days(4000))
  await expire()
  expect(listTypes(event)).not.toContain('event.expired')
  expect((await api.get(path(event))).body).toMatchObject({ expires_at: null, is_active: true })
  const info = await anonymous.get(`/api/gallery/${event.slug}/info`)
  expect(info.body).toMatchObject({ expires_at: null, is_expired: false })

  const dated = await api.patch(path(event), { expiration_days: 1 })
  expect(Date.parse(dated.body.expires_at)).toBeLessThanOrEqual(clock.now() + days(1))
})
