import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

// `server/platform/http/validation.test.ts` tests the rules; these tests prove that the routes apply them.

const service = await serviceForFile()
const { api, admin, anonymous } = service
const event = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }
const json = { 'content-type': 'application/json' }

const sendText = (body: BodyInit, path = '/api/v1/events') => api.call('POST', path, { headers: json, body })

test('malformed JSON is 400 INVALID_JSON', async () => {
  const notUtf8 = Buffer.concat([Buffer.from('{"event_name":"'), Buffer.from([0xff, 0xed, 0xa0]), Buffer.from('"}')])
  const texts = ['{', '{"event_name": "x",}', '{"a": NaN}', "{'a': 1}", 'event_name=x', '\u0000', '[1, 2', notUtf8]
  for (const text of texts) expectProblem(await sendText(text), 400, 'INVALID_JSON')
  expectProblem(await sendText('{"username"', '/api/auth/admin/login'), 400, 'INVALID_JSON')
})

test('a body of the wrong shape is 400 VALIDATION_ERROR and names every invalid field', async () => {
  const nested = `{"event_name": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`
  for (const text of ['null', '[]', '"text"', '42', 'true', '{}', '', nested]) {
    expectProblem(await sendText(text), 400, 'VALIDATION_ERROR')
  }
  expectProblem(await api.call('POST', '/api/v1/events'), 400, 'VALIDATION_ERROR')
  const answer = await api.post('/api/v1/events', { event_name: 1, photo_cap: -1 })
  for (const path of ['event_type', 'event_name', 'photo_cap']) expectInvalidField(answer, path)
})

test('there is no type coercion in JSON bodies', async () => {
  const wrong = {
    ...{ event_type: 1, event_name: 5, require_password: 'false', is_draft: 1, photo_cap: '5', welcome_message: 7 },
    ...{ expiration_days: '30', upload_category_id: '1', allow_downloads: null, expires_at: 1893456000000 },
    default_photo_sort: ['upload_date_desc'],
  }
  for (const [key, value] of Object.entries(wrong)) {
    expectInvalidField(await api.post('/api/v1/events', { ...event, [key]: value }), key)
  }
  const settings = { general_max_file_size_mb: '5', event_phone_field_enabled: 'true' }
  const answer = await admin.put('/api/admin/settings', settings)
  for (const key of Object.keys(settings)) expectInvalidField(answer, key)
  expectInvalidField(await admin.post('/api/admin/api-tokens', { name: 'x', scopes: 'read' }), 'scopes')
  expectInvalidField(await admin.post('/api/admin/categories', { name: 'x', is_global: 'true' }), 'is_global')
  expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: 1, password: 'x' }), 'username')
})

describe('unknown body keys', () => {
  const unknown = { nonsense: 1, id: 7, slug: 'mine', created_by: 99, constructor: 'x' }

  test('are ignored on create and listed in warnings of the response, also of a repeated one', async () => {
    const warning = (path: string) => ({ path, message: 'is not a known field and was ignored' })
    const headers = { 'idempotency-key': 'unknown keys' }
    const created = await api.post('/api/v1/events', { ...event, ...unknown }, headers)
    expect(created.status).toBe(201)
    expect(created.body.slug).not.toBe('mine')
    expect(created.body.warnings).toEqual(Object.keys(unknown).map(warning))
    expect((await api.post('/api/v1/events', { ...event, ...unknown }, headers)).body).toEqual(created.body)
    expect((await api.post('/api/v1/events', event)).body).not.toHaveProperty('warnings')
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${'unknown'.repeat(20)}${index}`, 1]))
    const { warnings } = (await api.post('/api/v1/events', { ...event, ...many })).body
    expect(warnings).toHaveLength(21)
    expect(warnings[0].path).toHaveLength(100)
    expect(warnings[20]).toEqual({ path: '', message: 'has 10 more unknown fields that were ignored' })
  })

  test('that nearly spell a known one are 400 and create nothing', async () => {
    const cases: Array<[misspelt: string, known: string, path: string, body: Record<string, unknown>]> = [
      ['is_darft', 'is_draft', '/api/v1/events', event],
      ['isDraft', 'is_draft', '/api/v1/events', event],
      ['is_drafts', 'is_draft', '/api/admin/events', event],
      ['require_pasword', 'require_password', '/api/v1/events', { event_type: 'wedding', event_name: 'x' }],
      ['scope', 'scopes', '/api/admin/api-tokens', { name: 'x' }],
      ['isglobal', 'is_global', '/api/admin/categories', { name: 'x' }],
      ['emojis', 'emoji', '/api/admin/event-types', { slug_prefix: 'fete', name: 'Fete' }],
      ['pasword', 'password', '/api/admin/customers', { name: 'x', email: 'x@example.com' }],
      ['activ', 'active', '/api/admin/webhooks', { name: 'x', url: 'http://192.0.2.1', events: ['photo.uploaded'] }],
      ['pasword', 'password', '/api/admin/users', { username: 'u', email: 'u@example.com', role: 'viewer' }],
    ]
    const count = async () => (await api.get('/api/v1/events')).body.pagination.total
    const before = await count()
    for (const [misspelt, known, path, body] of cases) {
      const client = path.startsWith('/api/v1') ? api : admin
      const answer = await client.post(path, { ...body, [misspelt]: 'secret value' })
      expectInvalidField(answer, misspelt)
      const message = `is not a known field: did you mean ${known}?`
      const details = [{ path: misspelt, message, kind: 'unknown_field' }]
      expect(answer.body, path).toEqual({ error: `${misspelt} ${message}`, code: 'VALIDATION_ERROR', details })
    }
    expect(await count()).toBe(before)
  })

  test('of an upload that nearly spell a field are 400, and any on PATCH', async () => {
    const { id } = await createEvent(api)
    const answer = await api.upload(id, await jpeg(), { fields: { replace_photo_id: 1, caption: 'ignored' } })
    expectInvalidField(answer, 'replace_photo_id')
    expect(answer.body.error).toContain('did you mean replaces_photo_id?')
    expect((await api.upload(id, await jpeg(), { fields: { caption: 'ignored' } })).status).toBe(201)
    const [photoId] = await uploadPhotos(api, id, 1)
    const path = `/api/admin/photos/${id}/photos/${photoId}`
    expectInvalidField(await admin.patch(path, { visibility: 'hidden', nonsense: 1 }), 'nonsense')
    expect((await admin.get(`/api/admin/photos/${id}/photo/${photoId}`)).body.visibility).toBe('visible')
  })
})

test('text with NUL or broken Unicode is 400, and other text is stored in NFC', async () => {
  for (const text of ['a\u0000b', 'a\ud800b', 'a\udc00']) {
    expectInvalidField(await api.post('/api/v1/events', { ...event, event_name: text }), 'event_name')
    expectInvalidField(await admin.post('/api/admin/categories', { name: text, is_global: true }), 'name')
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: 'x', password: text }), 'password')
  }
  const { id } = await createEvent(api, { event_name: 'Zoe\u0308 & \u{1f469}\u200d\u{1f469}\u200d\u{1f467}' })
  const { body } = await api.get(`/api/v1/events/${id}`)
  expect(body.event_name).toBe('Zo\u00eb & \u{1f469}\u200d\u{1f469}\u200d\u{1f467}')
})

test('a body of another type is 415 with the reason; an empty one is fine where none is needed', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { 'content-type': type }
    const answer = await anonymous.call('POST', '/api/auth/admin/login', { headers, body: '{}' })
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(answer.body.error).toContain('Content-Type')
  }
  expect((await api.get('/api/v1/events', json)).status).toBe(200)
  expect((await anonymous.call('POST', '/api/auth/logout', { headers: json })).status).toBe(200)
  const { body } = await admin.post('/api/admin/api-tokens', { name: 'x', scopes: ['read'] })
  expect((await admin.delete(`/api/admin/api-tokens/${body.id}`, json)).status).toBe(200)
})

test('submitted values are never echoed', async () => {
  const marker = 'zq-marker-7'
  const { id } = await createEvent(api)
  const answers = [
    await sendText(`{"${marker}`),
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
