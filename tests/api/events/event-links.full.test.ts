import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
const password = 'tulips and roses'

const renewLink = (event: { id: number }) => admin.post(`/api/admin/events/${event.id}/renew-link`, undefined)
const resetPassword = (event: { id: number }, body?: Record<string, unknown>) =>
  admin.post(`/api/admin/events/${event.id}/reset-password`, body)
const change = ({ id }: { id: number }, body: Record<string, unknown>) => admin.put(`/api/admin/events/${id}`, body)
const createProtected = () => createEvent(api, { require_password: true, password })
const login = (slug: string, token: string) => anonymous.post('/api/auth/gallery/share-login', { slug, token })
const loadVerifyStatus = async (slug: string, triedPassword: string) =>
  (await anonymous.post('/api/auth/gallery/verify', { slug, password: triedPassword })).status

test('a renewed link and a reset password exclude everybody who entered before', async () => {
  for (const operation of [renewLink, resetPassword]) {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    const { status, body } = await operation(event)
    expect(status).toBe(200)
    expect(body.share_token).not.toBe(event.share_token)
    expect(body.share_url).toContain(body.share_token)
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 401, 'TOKEN_REVOKED')
    expect((await login(event.slug, event.share_token)).status).toBe(401)
    // A reset also makes the password required.
    const entered = (await login(event.slug, body.share_token)).body
    if (operation === resetPassword) expect(entered).toEqual({ requires_password: true })
    else expect(entered.token).toEqual(expect.any(String))
  }
})

test('an archived event keeps its link and its password', async () => {
  const event = await createEvent(api)
  await admin.post(`/api/admin/events/${event.id}/archive`, undefined)
  for (const operation of [renewLink, resetPassword]) expectProblem(await operation(event), 409, 'EVENT_ARCHIVED')
})

describe('resetting the password of an event', () => {
  test('uses the given one, which the response does not contain', async () => {
    const event = await createProtected()
    for (const weak of ['123456', 'abc12', '']) {
      expectInvalidField(await resetPassword(event, { password: weak }), 'password')
    }
    expect(await loadVerifyStatus(event.slug, password)).toBe(200)
    const { status, body, bytes } = await resetPassword(event, { password: 'lilies and ivy' })
    expect([status, body.password, body.require_password]).toEqual([200, null, true])
    expect(bytes.toString()).not.toContain('lilies')
    expect(await loadVerifyStatus(event.slug, 'lilies and ivy')).toBe(200)
    expect(await loadVerifyStatus(event.slug, password)).toBe(401)
  })

  test('generates one if none is given, and returns it once', async () => {
    const event = await createProtected()
    let previous = password
    for (const body of [undefined, {}, { password: null }]) {
      const { password: generated } = (await resetPassword(event, body)).body
      expect(generated).toMatch(/^[a-z]{6}-[a-z]{6}$/)
      expect(await loadVerifyStatus(event.slug, generated)).toBe(200)
      expect(await loadVerifyStatus(event.slug, previous)).toBe(401)
      previous = generated
    }
    expect((await admin.get(`/api/admin/events/${event.id}`)).body).not.toHaveProperty('password')
  })
})

describe('a link that was valid before', () => {
  const visit = (slug: string, token: string) => anonymous.get(`/gallery/${slug}/${token}`)

  test('leads to the password of the gallery, which is still the same, and gives nothing else', async () => {
    const event = await createProtected()
    const { body: renewed } = await renewLink(event)
    expect([renewed.require_password, await loadVerifyStatus(event.slug, password)]).toEqual([true, 200])
    await change(event, { password: 'other tulips' })
    for (const token of [event.share_token, renewed.share_token]) {
      const page = await visit(event.slug, token)
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, [expect.stringMatching(/^cookies=1;/)]])
      expect(page.bytes.toString()).toContain('type="password"')
      expect(page.bytes.toString()).not.toContain('class="photo"')
      expectProblem(await login(event.slug, token), 401, 'INVALID_CREDENTIALS')
    }
    expect((await visit(event.slug, 'A'.repeat(32))).status).toBe(404)

    await admin.put('/api/admin/settings', { gallery_password_needs_link: true })
    expect((await visit(event.slug, event.share_token)).status).toBe(404)
    await admin.put('/api/admin/settings', { gallery_password_needs_link: false })
    expect((await visit(event.slug, event.share_token)).status).toBe(200)
  })

  test('opens nothing if the gallery has no password, or another gallery has had the link', async () => {
    const [open, closed] = [await createEvent(api), await createProtected()]
    await renewLink(open)
    await change(closed, { require_password: false })
    for (const { slug, share_token } of [open, closed]) expect((await visit(slug, share_token)).status).toBe(404)
    await change(closed, { require_password: true })
    expect((await visit(closed.slug, open.share_token)).status).toBe(404)
    expect((await visit(closed.slug, closed.share_token)).status).toBe(200)
  })
})
