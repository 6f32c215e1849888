import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

const resolve = (identifier: string, client = anonymous) => client.get(`/api/gallery/resolve/${identifier}`)
const sessionPath = ({ slug }: TestEvent) => `/api/gallery/${slug}/session`

describe('resolve', () => {
  test('finds a gallery by its slug and by its share token, and creates no session', async () => {
    const open = await createEvent(api)
    const locked = await createEvent(api, { require_password: true, password: 'open sesame' })
    for (const event of [open, locked]) {
      const { slug, share_token } = event
      for (const identifier of [slug, share_token]) {
        const { status, body, headers } = await resolve(identifier)
        expect([status, body]).toEqual([200, { slug, requires_password: event === locked }])
        expect(headers.getSetCookie()).toEqual([])
      }
      expectProblem(await anonymous.get(sessionPath(event)), 401, 'NO_TOKEN')
    }
  })

  test('returns the same 404 for an unknown, draft or archived gallery', async () => {
    const draft = await createEvent(api, { is_draft: true })
    const archived = await createEvent(api)
    await api.post(`/api/v1/events/${archived.id}/archive`, {})
    const events = [draft, archived].flatMap(({ slug, share_token }) => [slug, share_token])
    const unknown = await resolve('nothing')
    for (const identifier of [...events, 'nothing', draft.share_token.slice(1), `${archived.share_token}x`, '%20']) {
      const answer = await resolve(identifier)
      expectProblem(answer, 404, 'NOT_FOUND')
      expect(answer.body).toEqual(unknown.body)
    }
    for (const { slug, share_token } of [draft, archived]) {
      for (const identifier of [slug, share_token]) expect((await resolve(identifier, admin)).status).toBe(200)
      const { admin: stranger } = await createAccount(service, 'admin')
      expectProblem(await resolve(slug, stranger), 404, 'NOT_FOUND')
    }
  })

  test('does not accept the link from before a password change', async () => {
    const event = await createEvent(api)
    await api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'open sesame' })
    expectProblem(await resolve(event.share_token), 404, 'NOT_FOUND')
    expect((await resolve(event.slug)).body.requires_password).toBe(true)
  })
})

describe('session', () => {
  test('returns the guest, the expiry and the event', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë' })
    const { status, body } = await guest.get(sessionPath(event))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      kind: 'guest',
      guest: { name: 'Zoë', email: null },
      event: { event_name: 'Ana & Ben' },
    })
    const remainingMs = Date.parse(body.expires_at) - Date.now()
    expect(remainingMs).toBeGreaterThan(24 * 3_600_000 - 60_000)
    expect(remainingMs).toBeLessThanOrEqual(24 * 3_600_000)
  })

  test('returns the kind operator to an owner, in every state', async () => {
    const draft = await createEvent(api, { is_draft: true })
    const { status, body } = await admin.get(sessionPath(draft))
    expect(status).toBe(200)
    expect(body).toMatchObject({ kind: 'operator', guest: null, expires_at: expect.any(String) })
  })
})
