import { expect, test } from 'vitest'
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

test('an archived event keeps its link', async () => {
  const event = await createEvent(api)
  await admin.post(`/api/admin/events/${event.id}/archive`, undefined)
  expectProblem(await renewLink(event), 409, 'EVENT_ARCHIVED')
})
