import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { signIn } from '../../support/fixtures/accounts.ts'
import { adminPassword, serviceForTest, type TestService } from '../../support/service/test-service.ts'

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'photos.example' }
const body = { event_type: 'other', event_name: 'x', require_password: false }

const createEventOrigin = async ({ api }: TestService) =>
  new URL((await api.post('/api/v1/events', body, forwarded)).body.share_url).origin

const signInFrom = ({ anonymous }: TestService, address: string, password: string) =>
  anonymous.post('/api/auth/admin/login', { username: 'admin', password }, { 'x-forwarded-for': address, ...forwarded })

describe('without TRUST_PROXY', () => {
  test('X-Forwarded-* does not affect links and secure cookies', async () => {
    const service = await serviceForTest()
    expect(await createEventOrigin(service)).toBe(service.url)
    const { headers } = await signInFrom(service, '10.0.0.1', adminPassword)
    expect(headers.getSetCookie().join()).not.toMatch(/; Secure/i)
  })

  test('a forged address does not bypass the lock', async () => {
    const service = await serviceForTest()
    for (let attempt = 1; attempt <= 5; attempt++) await signInFrom(service, `10.0.0.${attempt}`, 'wrong')
    expectProblem(await signInFrom(service, '10.0.0.99', adminPassword), 423, 'ACCOUNT_LOCKED')
  })
})

describe('with TRUST_PROXY', () => {
  test.each(['1', '127.0.0.1', 'loopback'])('%s, links and secure cookies use the forwarded origin', async (value) => {
    const service = await serviceForTest({ environment: { TRUST_PROXY: value } })
    expect(await createEventOrigin(service)).toBe('https://photos.example')
    const { headers } = await signInFrom(service, '10.0.0.1', adminPassword)
    expect(headers.getSetCookie().join()).toMatch(/; Secure/i)
  })

  test('the lock counts per client address', async () => {
    const service = await serviceForTest({ environment: { TRUST_PROXY: '1' } })
    for (let attempt = 1; attempt <= 5; attempt++) await signInFrom(service, '10.0.0.1', 'wrong')
    expectProblem(await signInFrom(service, '10.0.0.1', adminPassword), 423, 'ACCOUNT_LOCKED')
    expect((await signInFrom(service, '10.0.0.2', adminPassword)).status).toBe(200)
    expect((await signIn(service, 'admin', adminPassword)).status).toBe(200)
  })

  test('an address beyond the trusted hops is ignored', async () => {
    const service = await serviceForTest({ environment: { TRUST_PROXY: '1' } })
    for (let attempt = 1; attempt <= 5; attempt++) await signInFrom(service, `10.0.0.${attempt}, 10.9.9.9`, 'wrong')
    expectProblem(await signInFrom(service, '10.0.0.99, 10.9.9.9', adminPassword), 423, 'ACCOUNT_LOCKED')
  })
})

test('PUBLIC_URL is the base of every link, whatever the request contains', async () => {
  const service = await serviceForTest({ environment: { PUBLIC_URL: 'https://studio.example', TRUST_PROXY: '1' } })
  expect(await createEventOrigin(service)).toBe('https://studio.example')
  const { events } = (await service.api.get('/api/v1/events', forwarded)).body
  expect(new URL(events[0].share_url).origin).toBe('https://studio.example')
})
