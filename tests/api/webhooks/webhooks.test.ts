import { describe, expect, test } from 'vitest'
import { optInEventTypes, webhookEventTypes } from '../../../contract/webhooks.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

/** The IP address of each host name in this file. Other host names do not resolve. */
const addresses: Record<string, string> = { 'hooks.example.com': '93.184.215.14', 'inside.example.com': '10.0.0.7' }

const service = await serviceForFile({
  edges: {
    resolve: async (name) => {
      const address = addresses[name]
      if (address === undefined) throw new Error('ENOTFOUND')
      return [{ address, family: 4 }]
    },
  },
})
const { admin } = service
const path = '/api/admin/webhooks'
const url = 'https://hooks.example.com/photos'
const webhookFields = { name: 'n8n', url, events: ['photo.uploaded', 'event.published'] }

const create = async (body: Record<string, unknown> = {}) => {
  const answer = await admin.post(path, { ...webhookFields, ...body })
  expect(answer.status).toBe(201)
  return answer.body
}
const rows = () => readDatabase(service, (stored) => stored.prepare('select * from webhooks order by id').all())

describe('POST /api/admin/webhooks', () => {
  test('returns the whole webhook with its secret: 32 random bytes in standard base64', async () => {
    const created = await create()
    const { secret } = created
    expect(created).toEqual({
      ...webhookFields,
      id: expect.any(Number),
      active: true,
      filter: {},
      template: null,
      secret: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      secret_preview: secret.slice(0, 8),
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      token_id: null,
      ended: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: created.created_at,
    })
    expect(Buffer.from(secret, 'base64')).toHaveLength(32)
    expect((await create()).secret).not.toBe(secret)
  })

  test('stores the secret encrypted, and shows only its first 8 characters again', async () => {
    const { id, secret } = await create()
    const read = (await admin.get(`${path}/${id}`)).body
    // The list is an array, the oldest first.
    const listed = (await admin.get(path)).body.at(-1)
    const changed = (await admin.put(`${path}/${id}`, { active: false })).body
    for (const shown of [read, listed, changed]) {
      expect(shown).toMatchObject({ id, secret_preview: secret.slice(0, 8) })
      expect(shown).not.toHaveProperty('secret')
      expect(JSON.stringify(shown)).not.toContain(secret)
    }
    expect(JSON.stringify(rows())).not.toContain(secret)
  })

  test('accepts every field, at its limits', async () => {
    const body = {
      name: `\u{1f469}\u200d\u{1f4bb} ${'é'.repeat(94)}`,
      url: `${url}?${'x'.repeat(2048 - url.length - 1)}`,
      events: [...webhookEventTypes],
      active: false,
      filter: { 'data.event.event_type': ['wedding', 'portrait'], 'data.event.id': 7, replayed_from: null },
      template: '{"text": "${data.event.event_name}"}',
    }
    expect(body.url).toHaveLength(2048)
    const { id } = await create(body)
    expect((await admin.get(`${path}/${id}`)).body).toMatchObject(body)
  })

  test('ignores unknown fields, a secret of the caller too; a blank template is none', async () => {
    const mine = 'c2VjcmV0IG9mIHRoZSBjYWxsZXI='
    const created = await create({ secret: mine, id: 1, name: '  Slack  ', template: ' ', consecutive_failures: 5 })
    expect(created).toMatchObject({ name: 'Slack', template: null, consecutive_failures: 0 })
    expect(created.secret).not.toBe(mine)
  })

  const tooLongFields = `${'x'.repeat(8192)}y`
  const wrong: Record<string, unknown[]> = {
    name: ['', ' \t', '\u200b', '\u202e ', 'My\nsite', 'x\u0007', 'x'.repeat(101), 7, null, undefined],
    url: ['', 'hooks.example.com', 7, null, undefined, `${url}?${'x'.repeat(2048)}`, 'ftp://hooks.example.com/'],
    events: [[], 'photo.uploaded', null, undefined, ['photo.uploaded', 'photo.uploaded']],
    'events.1': [['photo.uploaded', 'photo.viewed']],
    active: ['true', null],
    filter: [[], 'x', null, { '': 1 }, { data: {} }, { data: [[1]] }],
    template: ['${data.event', '${}', tooLongFields, '${id}'.repeat(65), 7],
  }
  wrong.url?.push('http://127.0.0.1/', 'http://[::1]/', 'https://inside.example.com/')

  test('rejects wrong values, on create and on change, and stores nothing', async () => {
    const { id } = await create()
    const before = rows()
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const body = { ...webhookFields, [field.replace('.1', '')]: value }
        expectInvalidField(await admin.post(path, body), field)
        if (value !== undefined) expectInvalidField(await admin.put(`${path}/${id}`, body), field)
      }
    }
    expect(rows()).toEqual(before)
  })
})

describe('PUT /api/admin/webhooks/{webhook_id}', () => {
  const full = { active: false, filter: { type: 'photo.uploaded' }, template: '${id}' }

  test('changes only what is sent', async () => {
    const { secret, ...created } = await create(full)
    const changes = [
      { name: 'Renamed' },
      { url: 'https://hooks.example.com/other' },
      { events: ['event.deleted'] },
      { active: true },
      { filter: {} },
      { template: null },
    ]
    let expected = created
    for (const change of changes) {
      const { status, body } = await admin.put(`${path}/${created.id}`, change)
      expected = { ...expected, ...change, updated_at: expect.stringMatching(/Z$/) }
      expect([status, body]).toEqual([200, expected])
    }
    expect((await admin.put(`${path}/${created.id}`, {})).body).toEqual(expected)
    expect((await admin.get(`${path}/${created.id}`)).body).toEqual(expected)
  })

  test('rejects a secret, and explains how to get another one, and keys that cannot be set', async () => {
    const { id } = await create()
    const before = rows()
    for (const secret of ['c2VjcmV0', null]) {
      const answer = await admin.put(`${path}/${id}`, { name: 'Renamed', secret })
      expectInvalidField(answer, 'secret')
      expect(answer.body.error).toMatch(/delete .* create/i)
    }
    for (const key of ['id', 'secret_preview', 'created_at', 'consecutive_failures', 'nonsense']) {
      expectInvalidField(await admin.put(`${path}/${id}`, { [key]: 1 }), key)
    }
    expect(rows()).toEqual(before)
  })

  test('another address resets the failures; the same one, and other changes, do not', async () => {
    const { id } = await create()
    await changeDatabase(service, (stored) =>
      stored.prepare('update webhooks set consecutive_failures = 7 where id = ?').run(id),
    )
    const loadFailuresAfter = async (change: object) =>
      (await admin.put(`${path}/${id}`, change)).body.consecutive_failures
    expect(await loadFailuresAfter({ name: 'Renamed' })).toBe(7)
    expect(await loadFailuresAfter({ url })).toBe(7)
    expect(await loadFailuresAfter({ url: `${url}/moved` })).toBe(0)
  })
})

describe('DELETE /api/admin/webhooks/{webhook_id}', () => {
  test('deletes it, and its id is never used again', async () => {
    const { id } = await create()
    const answer = await admin.delete(`${path}/${id}`)
    expect([answer.status, answer.body]).toEqual([200, { id, deleted: true }])
    for (const call of [admin.get, admin.delete]) expectProblem(await call(`${path}/${id}`), 404, 'NOT_FOUND')
    expectProblem(await admin.put(`${path}/${id}`, { name: 'Gone' }), 404, 'NOT_FOUND')
    expect((await create()).id).toBeGreaterThan(id)
  })
})

describe('GET /api/admin/webhooks/event-types', () => {
  test('lists every type, its description, and which are opt-in', async () => {
    const { body } = await admin.get(`${path}/event-types`)
    const types: Array<{ type: string; description: string; opt_in: boolean }> = body.event_types
    expect(types.map(({ type }) => type)).toEqual([...webhookEventTypes])
    expect(types.filter(({ opt_in }) => opt_in).map(({ type }) => type)).toEqual([...optInEventTypes])
    for (const { description } of types) expect(description).toMatch(/\w+ \w+/)
  })
})

describe('POST /api/admin/webhooks/preview', () => {
  const preview = (body: object) => admin.post(`${path}/preview`, body)

  test('returns the envelope of a sample of each type', async () => {
    for (const type of webhookEventTypes) {
      const { status, body } = await preview({ event_type: type })
      expect([status, body]).toMatchObject([200, { passes: true, content_type: 'application/json' }])
      const envelope = JSON.parse(body.body)
      expect(Object.keys(envelope)).toEqual(['id', 'type', 'created_at', 'data'])
      expect(envelope).toMatchObject({ type, data: { event: { id: expect.any(Number), slug: expect.any(String) } } })
    }
  })

  test('returns whether the filter passes it', async () => {
    const passes = async (filter: object) => (await preview({ event_type: 'photo.uploaded', filter })).body.passes
    expect(await passes({ type: 'photo.uploaded' })).toBe(true)
    expect(await passes({ type: ['event.created', 'photo.uploaded'] })).toBe(true)
    expect(await passes({ type: 'event.created' })).toBe(false)
  })

  test('returns the result of the template, and its content type', async () => {
    const event_type = 'event.published'
    const json = (await preview({ event_type, template: '{"told": "${type}"}' })).body
    expect(json).toEqual({ passes: true, content_type: 'application/json', body: '{"told": "event.published"}' })
    const text = (await preview({ event_type, template: 'Told: ${type}' })).body
    expect(text).toEqual({ passes: true, content_type: 'text/plain; charset=utf-8', body: 'Told: event.published' })
  })

  test('rejects what a webhook cannot have', async () => {
    expectInvalidField(await preview({}), 'event_type')
    expectInvalidField(await preview({ event_type: 'photo.viewed' }), 'event_type')
    expectInvalidField(await preview({ event_type: 'event.created', filter: { '': 1 } }), 'filter')
    expectInvalidField(await preview({ event_type: 'event.created', template: '${' }), 'template')
  })
})

test('webhook operations are recorded in the activity, without the values that were sent', async () => {
  const { id } = await create({ name: 'Noted' })
  await admin.post(`${path}/preview`, { event_type: 'event.created' })
  await admin.put(`${path}/${id}`, { name: 'Noted again' })
  await admin.delete(`${path}/${id}`)
  const { body, bytes } = await admin.get('/api/admin/activity?limit=3')
  expect(body.activity).toMatchObject(
    ['deleteWebhook', 'changeWebhook', 'createWebhook'].map((action) => ({ action, subject: 'webhook' })),
  )
  expect(body.activity[0].subject_ids).toContain(id)
  expect(bytes.toString()).not.toContain('Noted')
})
