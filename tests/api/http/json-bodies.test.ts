import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { api, admin, anonymous } = service
const event = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }

const sendText = (path: string, body: string, client = api) =>
  client.call('POST', path, { headers: { 'content-type': 'application/json' }, body })

describe('malformed JSON is 400 INVALID_JSON', () => {
  test.each(['{', '{"event_name": "x",}', '{"a": NaN}', "{'a': 1}", 'event_name=x', '\u0000', '[1, 2', '{"a" 1}'])(
    '%j',
    async (text) => {
      expectProblem(await sendText('/api/v1/events', text), 400, 'INVALID_JSON')
    },
  )

  test('bytes that are not valid UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"event_name":"'),
      Buffer.from([0xff, 0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ])
    const answer = await api.call('POST', '/api/v1/events', { headers: { 'content-type': 'application/json' }, body })
    expectProblem(answer, 400, 'INVALID_JSON')
  })

  test('on a sign-in route too', async () => {
    expectProblem(await sendText('/api/auth/admin/login', '{"username"', anonymous), 400, 'INVALID_JSON')
  })
})

describe('a body of the wrong shape is 400 VALIDATION_ERROR', () => {
  test.each(['null', '[]', '"text"', '42', 'true', '{}'])('%s', async (text) => {
    expectProblem(await sendText('/api/v1/events', text), 400, 'VALIDATION_ERROR')
  })

  test('no body at all', async () => {
    expectProblem(await sendText('/api/v1/events', ''), 400, 'VALIDATION_ERROR')
    expectProblem(await api.call('POST', '/api/v1/events'), 400, 'VALIDATION_ERROR')
  })

  test('a body nested five thousand deep', async () => {
    const nestedJson = `{"event_name": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    expectProblem(await sendText('/api/v1/events', nestedJson), 400, 'VALIDATION_ERROR')
  })

  test('every invalid field is named', async () => {
    const answer = await api.post('/api/v1/events', { event_name: 1, photo_cap: -1 })
    for (const path of ['event_type', 'event_name', 'photo_cap']) expectInvalidField(answer, path)
  })
})

describe('there is no type coercion in JSON bodies', () => {
  const wrong = {
    event_type: 1,
    event_name: 5,
    require_password: 'false',
    is_draft: 1,
    photo_cap: '5',
    expiration_days: '30',
    upload_category_id: '1',
    allow_downloads: null,
    default_photo_sort: ['upload_date_desc'],
    welcome_message: 7,
    expires_at: 1893456000000,
  }
  test.each(Object.entries(wrong))('event %s: %j', async (key, value) => {
    expectInvalidField(await api.post('/api/v1/events', { ...event, [key]: value }), key)
  })

  test('settings, tokens, categories, sign-in', async () => {
    expectInvalidField(
      await admin.put('/api/admin/settings', { general_max_file_size_mb: '5' }),
      'general_max_file_size_mb',
    )
    expectInvalidField(
      await admin.put('/api/admin/settings', { event_phone_field_enabled: 'true' }),
      'event_phone_field_enabled',
    )
    expectInvalidField(await admin.post('/api/admin/api-tokens', { name: 'x', scopes: 'read' }), 'scopes')
    expectInvalidField(await admin.post('/api/admin/categories', { name: 'x', is_global: 'true' }), 'is_global')
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: 1, password: 'x' }), 'username')
  })
})

describe('unknown body keys', () => {
  const unknown = { nonsense: 1, id: 7, slug: 'mine', created_by: 99, constructor: 'x' }

  test('are ignored on create', async () => {
    const created = await api.post('/api/v1/events', { ...event, ...unknown })
    expect(created.status).toBe(201)
    expect(created.body.slug).not.toBe('mine')
    expect((await admin.post('/api/admin/api-tokens', { name: 'x', scopes: ['read'], ...unknown })).status).toBe(201)
    expect((await admin.post('/api/admin/categories', { name: 'x', is_global: true, ...unknown })).status).toBe(201)
    const type = { slug_prefix: 'gala', name: 'Gala', ...unknown }
    expect((await admin.post('/api/admin/event-types', type)).status).toBe(201)
  })

  test('are listed in warnings of the response, also of a repeated one', async () => {
    const warning = (path: string) => ({ path, message: 'is not a known field and was ignored' })
    const paths = ['nonsense', 'id', 'slug', 'created_by', 'constructor']
    const headers = { 'idempotency-key': 'unknown keys' }
    const created = await api.post('/api/v1/events', { ...event, ...unknown }, headers)
    expect(created.body.warnings).toEqual(paths.map(warning))
    expect((await api.post('/api/v1/events', { ...event, ...unknown }, headers)).body).toEqual(created.body)
    expect((await api.post('/api/v1/events', event)).body).not.toHaveProperty('warnings')
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${'unknown'.repeat(20)}${index}`, 1]))
    const { warnings } = (await api.post('/api/v1/events', { ...event, ...many })).body
    expect(warnings).toHaveLength(21)
    expect(warnings[0].path).toHaveLength(100)
    expect(warnings[20]).toEqual({ path: '', message: 'has 10 more unknown fields that were ignored' })
  })

  test.each<[misspelt: string, known: string, path: string, body: Record<string, unknown>]>([
    ['is_darft', 'is_draft', '/api/v1/events', event],
    ['isDraft', 'is_draft', '/api/v1/events', event],
    ['require_pasword', 'require_password', '/api/v1/events', { event_type: 'wedding', event_name: 'x' }],
    ['is_drafts', 'is_draft', '/api/admin/events', event],
    ['scope', 'scopes', '/api/admin/api-tokens', { name: 'x' }],
    ['expires_ad', 'expires_at', '/api/admin/api-tokens', { name: 'x', scopes: ['read'] }],
    ['isglobal', 'is_global', '/api/admin/categories', { name: 'x' }],
    ['emojis', 'emoji', '/api/admin/event-types', { slug_prefix: 'fete', name: 'Fete' }],
    ['pasword', 'password', '/api/admin/customers', { name: 'x', email: 'x@example.com' }],
    ['activ', 'active', '/api/admin/webhooks', { name: 'x', url: 'http://192.0.2.1', events: ['photo.uploaded'] }],
    ['pasword', 'password', '/api/admin/users', { username: 'u', email: 'u@example.com', role: 'viewer' }],
  ])('that nearly spell a known one are 400 and create nothing: %s, at %s %s', async (misspelt, known, path, body) => {
    const client = path.startsWith('/api/v1') ? api : admin
    const count = async () => (await client.get('/api/v1/events')).body?.pagination?.total
    const before = await count()
    const answer = await client.post(path, { ...body, [misspelt]: 'secret value' })
    expectInvalidField(answer, misspelt)
    expect(answer.body).toEqual({
      error: `${misspelt} is not a known field: did you mean ${known}?`,
      code: 'VALIDATION_ERROR',
      details: [{ path: misspelt, message: `is not a known field: did you mean ${known}?`, kind: 'unknown_field' }],
    })
    expect(await count()).toBe(before)
  })

  test('of an upload that nearly spell a field are 400', async () => {
    const { id } = await createEvent(api)
    const answer = await api.upload(id, await jpeg(), { fields: { replace_photo_id: 1, caption: 'ignored' } })
    expectInvalidField(answer, 'replace_photo_id')
    expect(answer.body.error).toContain('did you mean replaces_photo_id?')
    expect((await api.upload(id, await jpeg(), { fields: { caption: 'ignored' } })).status).toBe(201)
  })

  test('are 400 on PATCH and change nothing', async () => {
    const { id } = await createEvent(api)
    const [photoId] = await uploadPhotos(api, id, 1)
    const path = `/api/admin/photos/${id}/photos/${photoId}`
    expectInvalidField(await admin.patch(path, { visibility: 'hidden', nonsense: 1 }), 'nonsense')
    expect((await admin.get(`/api/admin/photos/${id}/photo/${photoId}`)).body.visibility).toBe('visible')
  })
})

describe('text', () => {
  const broken = { NUL: 'a\u0000b', 'a lone high surrogate': 'a\ud800b', 'a lone low surrogate': 'a\udc00' }
  test.each(Object.entries(broken))('with %s is 400', async (_name, text) => {
    expectInvalidField(await api.post('/api/v1/events', { ...event, event_name: text }), 'event_name')
    expectInvalidField(await api.post('/api/v1/events', { ...event, welcome_message: text }), 'welcome_message')
    expectInvalidField(await admin.post('/api/admin/categories', { name: text, is_global: true }), 'name')
    expectInvalidField(await admin.post('/api/admin/api-tokens', { name: text, scopes: ['read'] }), 'name')
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: text, password: 'x' }), 'username')
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: 'x', password: text }), 'password')
  })

  test('is stored in NFC, including emoji', async () => {
    const { id } = await createEvent(api, { event_name: 'Zoe\u0308 & \u{1f469}\u200d\u{1f469}\u200d\u{1f467}' })
    const { body } = await api.get(`/api/v1/events/${id}`)
    expect(body.event_name).toBe('Zo\u00eb & \u{1f469}\u200d\u{1f469}\u200d\u{1f467}')
  })
})

test('a body of another type than JSON is 415 with the reason', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { 'content-type': type }
    const answer = await anonymous.call('POST', '/api/auth/admin/login', { headers, body: '{}' })
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(answer.body.error).toContain('Content-Type')
  }
})

test('a JSON content type with an empty body is fine on every route that needs none', async () => {
  const headers = { 'content-type': 'application/json' }
  expect((await api.get('/api/v1/events', headers)).status).toBe(200)
  expect((await anonymous.call('POST', '/api/auth/logout', { headers })).status).toBe(200)
  const { body } = await admin.post('/api/admin/api-tokens', { name: 'x', scopes: ['read'] })
  expect((await admin.delete(`/api/admin/api-tokens/${body.id}`, headers)).status).toBe(200)
})

test('submitted values are never echoed', async () => {
  const marker = 'zq-marker-7'
  const { id } = await createEvent(api)
  const answers = [
    await sendText('/api/v1/events', `{"${marker}`),
    await api.post('/api/v1/events', { event_type: marker, event_name: 'x', require_password: false }),
    await api.post('/api/v1/events', { ...event, header_style: marker, customer_email: marker, expires_at: marker }),
    await api.post('/api/v1/events', { ...event, event_date: marker }),
    await api.get(`/api/v1/events/${marker}`),
    await api.get(`/api/v1/events?limit=${marker}`),
    await anonymous.get(`/api/${marker}`),
    await anonymous.get(`/api/gallery/%zz${marker}/info`),
    await anonymous.get('/api/v1/events', { authorization: `Bearer ${marker}` }),
    await anonymous.post('/api/auth/admin/login', { username: marker, password: marker }),
    await anonymous.post('/api/auth/gallery/verify', { slug: marker, password: marker }),
    await api.upload(id, await jpeg(), { fields: { category_id: marker } }),
    await api.upload(id, Buffer.from(marker), { name: `${marker}.jpg` }),
    await api.upload(id, await jpeg(), { type: `text/${marker}` }),
    await admin.put('/api/admin/settings', { general_default_language: marker }),
    await admin.put(`/api/admin/settings/${marker}`, {}),
    await anonymous.call('POST', '/api/auth/admin/login', { headers: { 'content-type': `text/${marker}` }, body: 'x' }),
  ]
  for (const answer of answers) {
    expectProblem(answer, answer.status, answer.body?.code)
    expect(answer.status).toBeLessThan(500)
    expect(answer.bytes.toString()).not.toContain(marker)
  }
})
