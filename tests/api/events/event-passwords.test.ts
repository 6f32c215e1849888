import { describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin, anonymous } = service

const post = (body: Record<string, unknown>) =>
  api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Ana & Ben', ...body })

describe('a password', () => {
  test.each([
    ['too short', 'abc12'],
    ['all digits', '123456'],
    ['all digits, long', '1234567890123'],
    ['all digits of another script', '١٢٣٤٥٦'],
    ['blanks', '      '],
    ['digits and blanks', '123 456'],
    ['129 characters', 'x'.repeat(129)],
    ['empty', ''],
  ])('that is %s returns 400', async (_name, password) => {
    expectInvalidField(await post({ password, require_password: true }), 'password')
  })

  test.each(['abc123', '12345a', 'x'.repeat(128), '  a   ', 'пароль', '🔑🔑🔑🔑🔑🔑'])(
    '%j is accepted and opens the gallery',
    async (password) => {
      const { status, body } = await post({ password, require_password: true })
      expect(status).toBe(201)
      const entered = await anonymous.post('/api/auth/gallery/verify', { slug: body.slug, password })
      expect(entered.status).toBe(200)
    },
  )
})

describe('require_password', () => {
  test('defaults to event_default_require_password', async () => {
    const { body } = await post({ password: 'open sesame' })
    expect((await api.get(`/api/v1/events/${body.id}`)).body.require_password).toBe(true)
    await admin.put('/api/admin/settings', { event_default_require_password: false })
    const open = await post({})
    expect((await api.get(`/api/v1/events/${open.body.id}`)).body.require_password).toBe(false)
    await admin.put('/api/admin/settings', { event_default_require_password: true })
  })

  test('false or a password is required: 400 with a text that names both', async () => {
    const answer = await post({})
    expectInvalidField(answer, 'password')
    expect(answer.body.error).toMatch(/password/i)
    expect(answer.body.error).toContain('require_password: false')
  })

  test('true requires a password', async () => {
    expectInvalidField(await post({ require_password: true }), 'password')
    expectInvalidField(await post({ require_password: true, password: null }), 'password')
  })

  test('false opens the gallery with only the share token', async () => {
    const { body } = await post({ require_password: false })
    const entered = await anonymous.post('/api/auth/gallery/share-login', {
      slug: body.slug,
      token: body.share_token,
    })
    expect(entered.body.token).toEqual(expect.any(String))
  })
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
