import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

const renewLink = (event: { id: number }) => admin.post(`/api/admin/events/${event.id}/renew-link`, undefined)
const login = (slug: string, token: string) => anonymous.post('/api/auth/gallery/share-login', { slug, token })

test('a renewed link excludes everybody who entered by the previous one', async () => {
  const event = await createEvent(api)
  const guest = await enterAsGuest(service, event)
  const { status, body } = await renewLink(event)
  expect(status).toBe(200)
  expect(body.share_token).not.toBe(event.share_token)
  expect(body.share_url).toContain(body.share_token)
  expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(401)
  expect((await login(event.slug, event.share_token)).status).toBe(401)
  expect((await login(event.slug, body.share_token)).body.token).toEqual(expect.any(String))
})

test('the password stays', async () => {
  const password = 'tulips and roses'
  const event = await createEvent(api, { require_password: true, password })
  const { body } = await renewLink(event)
  expect(body.require_password).toBe(true)
  const enteredGuest = await anonymous.post('/api/auth/gallery/verify', { slug: event.slug, password })
  expect(enteredGuest.status).toBe(200)
})

describe('a link that was valid before', () => {
  const password = 'tulips and roses'
  const visit = (slug: string, token: string) => anonymous.get(`/gallery/${slug}/${token}`)

  test('leads to the password of the gallery, and gives nothing else', async () => {
    const event = await createEvent(api, { require_password: true, password })
    const { body: renewed } = await renewLink(event)
    await admin.put(`/api/admin/events/${event.id}`, { password: 'other tulips' })
    for (const token of [event.share_token, renewed.share_token]) {
      const page = await visit(event.slug, token)
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, [expect.stringMatching(/^cookies=1;/)]])
      expect(page.bytes.toString()).toContain('type="password"')
      expect(page.bytes.toString()).not.toContain('class="photo"')
      expectProblem(await login(event.slug, token), 401, 'INVALID_CREDENTIALS')
    }
    expect((await visit(event.slug, 'A'.repeat(32))).status).toBe(404)
  })

  test('leads nowhere while gallery_password_needs_link is on', async () => {
    const event = await createEvent(api, { require_password: true, password })
    await renewLink(event)
    await admin.put('/api/admin/settings', { gallery_password_needs_link: true })
    expect((await visit(event.slug, event.share_token)).status).toBe(404)
    await admin.put('/api/admin/settings', { gallery_password_needs_link: false })
    expect((await visit(event.slug, event.share_token)).status).toBe(200)
  })

  test('opens nothing if the gallery has no password, or another gallery has had the link', async () => {
    const open = await createEvent(api)
    const protectedEvent = await createEvent(api, { require_password: true, password })
    await renewLink(open)
    await admin.put(`/api/admin/events/${protectedEvent.id}`, { require_password: false })
    const addresses = [
      [open.slug, open.share_token],
      [protectedEvent.slug, protectedEvent.share_token],
    ] as const
    for (const [slug, token] of addresses) expect((await visit(slug, token)).status).toBe(404)
    await admin.put(`/api/admin/events/${protectedEvent.id}`, { require_password: true })
    expect((await visit(protectedEvent.slug, open.share_token)).status).toBe(404)
    expect((await visit(protectedEvent.slug, protectedEvent.share_token)).status).toBe(200)
  })
})

test('an archived event keeps its link', async () => {
  const event = await createEvent(api)
  await admin.post(`/api/admin/events/${event.id}/archive`, undefined)
  expectProblem(await renewLink(event), 409, 'EVENT_ARCHIVED')
})
