import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createAccount, signIn } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { adminPassword, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const path = '/api/admin/public-address'
const url = 'https://photos.example.com'
const service = await serviceForFile()
const { admin, api } = service

const shareUrlOf = async (id: number): Promise<string> =>
  (await api.get(`/api/v1/events/${id}/share-link`)).body.share_url

describe('the public address of the app', () => {
  test('is the start of every link, and without it the address of the request or of the sign-in is', async () => {
    const { id } = await createEvent(api, { customer_email: 'ana@example.com' })
    const fromSignIn = { url: null, source: 'sign_in', link_origin: service.url }
    expect((await admin.get(path)).body).toEqual(fromSignIn)
    expect(await shareUrlOf(id)).toMatch(`${service.url}/gallery/`)

    const { status, body } = await admin.put(path, { url: ' https://Photos.example.com/ ' })
    expect([status, body]).toEqual([200, { url, source: 'app', link_origin: url }])
    expect(await shareUrlOf(id)).toMatch(`${url}/gallery/`)
    expect((await admin.get(`/api/admin/events/${id}`)).body.share_url).toMatch(`${url}/gallery/`)
    await createEvent(api, { customer_email: 'ben@example.com' })
    const [mail] = (await admin.get('/api/admin/mail/outbox')).body.mails
    expect(mail.text).toContain(`${url}/gallery/`)
    expect((await admin.get('/api/admin/mail/server')).body.used_sender).toBe('noreply@photos.example.com')
    const health = (await admin.get('/api/admin/health')).body
    const item = health.items.find(({ key }: { key: string }) => key === 'address')
    expect(item).toMatchObject({ status: 'ok', facts: { origin: url, is_set: true } })

    await createAccount(service, 'super_admin')
    // Cookies are not Secure, so that a wrong address locks nobody out.
    const { headers } = await signIn(service, 'admin', adminPassword)
    expect(headers.get('set-cookie')).toMatch(/^(?!.*Secure).*admin_token=/)
    expect((await admin.put(path, { url: null })).body).toEqual(fromSignIn)
    expect(await shareUrlOf(id)).toMatch(`${service.url}/gallery/`)
  })

  test('must be an origin', async () => {
    const invalid = [
      'photos.example.com',
      'ftp://photos.example.com',
      `${url}/gallery`,
      `${url}?a=b`,
      'https://a:b@c.d',
    ]
    for (const one of invalid) expectInvalidField(await admin.put(path, { url: one }), 'url')
    expect((await admin.get(path)).body.url).toBeNull()
  })
})

test('PUBLIC_URL has priority, and cannot be changed', async () => {
  const named = await serviceForTest({ environment: { PUBLIC_URL: url } })
  const expected = { url, source: 'environment', link_origin: url }
  expect((await named.admin.get(path)).body).toEqual(expected)
  const rejected = await named.admin.put(path, { url: 'https://other.example.com' })
  expectProblem(rejected, 409, 'INVALID_STATE')
  expect(rejected.body.error).toContain('PUBLIC_URL')
  expect((await named.admin.get(path)).body).toEqual(expected)
})
