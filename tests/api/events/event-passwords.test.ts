import { expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin, anonymous } = service

const post = (body: Record<string, unknown>) =>
  api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Ana & Ben', ...body })

test('a password has 6 to 128 characters, not only digits and blanks, and opens the gallery', async () => {
  const invalid = ['abc12', '123456', '١٢٣٤٥٦', '      ', '123 456', 'x'.repeat(129), '']
  for (const password of invalid) expectInvalidField(await post({ password, require_password: true }), 'password')
  for (const password of ['abc123', 'x'.repeat(128), '  a   ', 'пароль', '🔑🔑🔑🔑🔑🔑']) {
    const { status, body } = await post({ password, require_password: true })
    expect(status, password).toBe(201)
    const entered = await anonymous.post('/api/auth/gallery/verify', { slug: body.slug, password })
    expect(entered.status, password).toBe(200)
  }
})

test('require_password has the default of the settings, and requires a password or false', async () => {
  const isRequired = async (body: object) => {
    const { id } = (await post({ ...body })).body
    return (await api.get(`/api/v1/events/${id}`)).body.require_password
  }
  expect(await isRequired({ password: 'open sesame' })).toBe(true)
  await admin.put('/api/admin/settings', { event_default_require_password: false })
  expect(await isRequired({})).toBe(false)
  await admin.put('/api/admin/settings', { event_default_require_password: true })
  const { body } = await post({})
  expect(body.details).toMatchObject([{ path: 'password' }])
  expect(body.error).toMatch(/password.*require_password: false/i)
  for (const password of [undefined, null])
    expectInvalidField(await post({ require_password: true, password }), 'password')
})

test('with require_password: false, the share token alone opens the gallery', async () => {
  const { slug, share_token: token } = (await post({ require_password: false })).body
  const entered = await anonymous.post('/api/auth/gallery/share-login', { slug, token })
  expect(entered.body.token).toEqual(expect.any(String))
})

test('no response ever contains a password or a hash', async () => {
  const password = 'very-secret-words'
  const event = await createEvent(api, { require_password: true, password })
  const entered = await anonymous.post('/api/auth/gallery/verify', { slug: event.slug, password })
  const answers = [
    await api.get(`/api/v1/events/${event.id}`),
    await admin.get(`/api/admin/events/${event.id}`),
    await api.get('/api/v1/events'),
    await anonymous.get(`/api/gallery/${event.slug}/info`),
    await anonymous.get(`/api/gallery/${event.slug}/photos`, { authorization: `Bearer ${entered.body.token}` }),
    entered,
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(answer.bytes.toString()).not.toMatch(/very-secret-words|argon2|password_hash|access_key/)
  }
  const row = readDatabase(service, (stored) => stored.prepare('select * from events where id = ?').get(event.id))
  expect(JSON.stringify(row)).not.toContain(password)
})
