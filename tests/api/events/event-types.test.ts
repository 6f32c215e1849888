import { describe, expect, test } from 'vitest'
import { headerStyles } from '../../../contract/themes.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service

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
})

test('the admin API returns the same list', async () => {
  expect((await admin.get('/api/admin/event-types')).body.eventTypes).toEqual(await list())
})

describe('a custom type', () => {
  test('can be added, changed and deleted', async () => {
    const [first] = await list()
    const type = { slug_prefix: 'anniversary', name: 'Anniversary', emoji: '🥂', theme_preset: first?.theme_preset }
    const created = await admin.post('/api/admin/event-types', type)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject(type)
    expect(await list()).toContainEqual(created.body)

    const changed = await admin.put('/api/admin/event-types/anniversary', { name: 'Jubilee' })
    expect(changed.body).toMatchObject({ ...type, name: 'Jubilee' })
    expect((await admin.delete('/api/admin/event-types/anniversary')).status).toBe(200)
    expect((await list()).map(({ slug_prefix }) => slug_prefix)).not.toContain('anniversary')
  })

  test('cannot be deleted while in use', async () => {
    await admin.post('/api/admin/event-types', { slug_prefix: 'prom', name: 'Prom' })
    const { slug } = await createEvent(api, { event_type: 'prom' })
    expect(slug).toMatch(/^prom-/)
    expectProblem(await admin.delete('/api/admin/event-types/prom'), 409, 'EVENT_TYPE_IN_USE')
  })

  test('rejects a prefix that exists', async () => {
    expectProblem(
      await admin.post('/api/admin/event-types', { slug_prefix: 'wedding', name: 'x' }),
      409,
      'EVENT_TYPE_IN_USE',
    )
  })

  test.each(['', 'Über', 'a b', '../x', 'a/b', 'UPPER'])('rejects the URL prefix %j', async (prefix) => {
    expectInvalidField(await admin.post('/api/admin/event-types', { slug_prefix: prefix, name: 'x' }), 'slug_prefix')
  })

  test('requires a theme preset that exists', async () => {
    const type = { slug_prefix: 'gala', name: 'Gala', theme_preset: 'nonsense' }
    expectInvalidField(await admin.post('/api/admin/event-types', type), 'theme_preset')
  })

  test('that does not exist returns 404', async () => {
    expectProblem(await admin.put('/api/admin/event-types/nothing', { name: 'x' }), 404, 'NOT_FOUND')
    expectProblem(await admin.delete('/api/admin/event-types/nothing'), 404, 'NOT_FOUND')
  })
})
