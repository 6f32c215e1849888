import { expect, test } from 'vitest'
import { headerStyles } from '../../../contract/themes.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const { admin, api } = await sharedService()
const path = '/api/admin/event-types'

type EventType = { slug_prefix: string; name: string; emoji: string; theme_preset: string; header_style: string }
const list = async (): Promise<EventType[]> => (await api.get('/api/v1/event-types')).body.eventTypes

test('six types are seeded, each with its recommended theme and header style', async () => {
  const types = await list()
  const prefixes = types.map(({ slug_prefix }) => slug_prefix)
  expect(prefixes).toEqual(expect.arrayContaining(['wedding', 'birthday', 'corporate', 'family', 'portrait', 'other']))
  for (const type of types) {
    expect(Object.keys(type).sort()).toEqual(['emoji', 'header_style', 'name', 'slug_prefix', 'theme_preset'])
    expect(headerStyles).toContain(type.header_style)
  }
  expect((await admin.get(path)).body.eventTypes).toEqual(types)
})

test('a custom type can be added, changed and, unless it is in use, deleted', async () => {
  const type = { slug_prefix: 'anniversary', name: 'Anniversary', emoji: '🥂', theme_preset: 'noir' }
  const created = await admin.post(path, type)
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject(type)
  expect(await list()).toContainEqual(created.body)
  const changed = await admin.put(`${path}/anniversary`, { name: 'Jubilee' })
  expect(changed.body).toMatchObject({ ...type, name: 'Jubilee' })
  const { id, slug } = await createEvent(api, { event_type: 'anniversary' })
  expect(slug).toMatch(/^anniversary-/)
  expectProblem(await admin.delete(`${path}/anniversary`), 409, 'EVENT_TYPE_IN_USE')
  await api.delete(`/api/v1/events/${id}`)
  expect((await admin.delete(`${path}/anniversary`)).status).toBe(200)
  expect((await list()).map(({ slug_prefix }) => slug_prefix)).not.toContain('anniversary')
})

test('a custom type requires a prefix for URLs that no other type has, and a theme that exists', async () => {
  for (const slug_prefix of ['', 'Über', 'a b', '../x', 'a/b', 'UPPER'])
    expectInvalidField(await admin.post(path, { slug_prefix, name: 'x' }), 'slug_prefix')
  expectProblem(await admin.post(path, { slug_prefix: 'wedding', name: 'x' }), 409, 'EVENT_TYPE_IN_USE')
  const type = { slug_prefix: 'gala', name: 'Gala', theme_preset: 'nonsense' }
  expectInvalidField(await admin.post(path, type), 'theme_preset')
  expectProblem(await admin.put(`${path}/nothing`, { name: 'x' }), 404, 'NOT_FOUND')
})

test('the admin app shows the defaults of the settings for new events', async () => {
  const load = async () => (await admin.get('/api/admin/event-defaults')).body
  expect(await load()).toMatchObject({
    ...{ required: [], require_password: true, expiration_days: 30, allow_downloads: true },
    // The default of the API is another one.
    ...{ default_photo_sort: 'capture_date_asc', ask_guest_name: true, allow_notes: true },
  })
  const change = { event_require_event_date: true, event_default_allow_downloads: false }
  await admin.put('/api/admin/settings', change)
  expect(await load()).toMatchObject({ required: ['event_date'], allow_downloads: false })
  await admin.put('/api/admin/settings', { event_require_event_date: false, event_default_allow_downloads: true })
})
