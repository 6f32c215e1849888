import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
const password = 'tulips and roses'

const reset = (event: { id: number }, body?: Record<string, unknown>, client: TestClient = admin) =>
  client.post(`/api/admin/events/${event.id}/reset-password`, body)
const loadVerifyStatus = async (slug: string, triedPassword: string) =>
  (await anonymous.post('/api/auth/gallery/verify', { slug, password: triedPassword })).status

describe('resetting the password of an event', () => {
  test('uses the given one, which the response does not contain', async () => {
    const event = await createEvent(api, { require_password: true, password })
    const { status, body, bytes } = await reset(event, { password: 'lilies and ivy' })
    expect([status, body.password, body.require_password]).toEqual([200, null, true])
    expect(bytes.toString()).not.toContain('lilies')
    expect(await loadVerifyStatus(event.slug, 'lilies and ivy')).toBe(200)
    expect(await loadVerifyStatus(event.slug, password)).toBe(401)
  })

  test.each([[undefined], [{}], [{ password: null }]])(
    'generates one for the body %j and returns it once',
    async (body) => {
      const event = await createEvent(api, { require_password: true, password })
      const answer = await reset(event, body as Record<string, unknown> | undefined)
      expect(answer.body.password).toMatch(/^([a-z2-9]{4}-?){3}$/)
      expect(await loadVerifyStatus(event.slug, answer.body.password)).toBe(200)
      expect(await loadVerifyStatus(event.slug, password)).toBe(401)
      expect((await admin.get(`/api/admin/events/${event.id}`)).body).not.toHaveProperty('password')
    },
  )

  test('creates a new share link and ends every guest session at once', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
    const { body } = await reset(event)
    expect(body.share_token).not.toBe(event.share_token)
    expect(body.share_url).toContain(body.share_token)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(401)
    const login = (token: string) => anonymous.post('/api/auth/gallery/share-login', { slug: event.slug, token })
    expect((await login(event.share_token)).status).toBe(401)
    // The gallery had no password before. A reset also makes the password required.
    expect((await login(body.share_token)).body).toEqual({ requires_password: true })
  })

  test('rejects a password that is only digits or too short', async () => {
    const event = await createEvent(api, { require_password: true, password })
    for (const weak of ['123456', 'abc12', '']) expectInvalidField(await reset(event, { password: weak }), 'password')
    expect(await loadVerifyStatus(event.slug, password)).toBe(200)
  })

  test('is for its owners, and not for an archived event', async () => {
    const event = await createEvent(api)
    const stranger = await createAccount(service, 'admin')
    expectProblem(await reset(event, {}, stranger.admin), 403, 'FORBIDDEN')
    expectProblem(await reset({ id: 999999 }), 404, 'NOT_FOUND')
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await reset(event), 409, 'EVENT_ARCHIVED')
  })
})
