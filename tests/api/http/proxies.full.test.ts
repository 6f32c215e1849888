import { expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { adminPassword, serviceForTest, type TestService } from '../../support/service/test-service.ts'

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'photos.example' }
const body = { event_type: 'other', event_name: 'x', require_password: false }

const createEventOrigin = async ({ api }: TestService) =>
  new URL((await api.post('/api/v1/events', body, forwarded)).body.share_url).origin

const signInFrom = ({ anonymous }: TestService, address: string, password = adminPassword) =>
  anonymous.post('/api/auth/admin/login', { username: 'admin', password }, { 'x-forwarded-for': address, ...forwarded })

const failFrom = async (service: TestService, addressOf: (attempt: number) => string) => {
  for (let attempt = 1; attempt <= 5; attempt++) await signInFrom(service, addressOf(attempt), 'wrong')
}

test('without TRUST_PROXY X-Forwarded-* affects neither links, secure cookies nor the address of the lock', async () => {
  const service = await serviceForTest()
  expect(await createEventOrigin(service)).toBe(service.url)
  const { headers } = await signInFrom(service, '10.0.0.1')
  expect(headers.getSetCookie().join()).not.toMatch(/; Secure/i)
  await failFrom(service, (attempt) => `10.0.0.${attempt}`)
  expectProblem(await signInFrom(service, '10.0.0.99'), 423, 'ACCOUNT_LOCKED')
})

test('TRUST_PROXY is a number of hops, an address or a name', async () => {
  for (const TRUST_PROXY of ['127.0.0.1', 'loopback']) {
    const trusting = await serviceForTest({ environment: { TRUST_PROXY } })
    expect(await createEventOrigin(trusting)).toBe('https://photos.example')
  }
  const service = await serviceForTest({ environment: { TRUST_PROXY: '1' } })
  expect(await createEventOrigin(service)).toBe('https://photos.example')
  const { headers } = await signInFrom(service, '10.0.0.1')
  expect(headers.getSetCookie().join()).toMatch(/; Secure/i)
  await failFrom(service, () => '10.0.0.1')
  expectProblem(await signInFrom(service, '10.0.0.1'), 423, 'ACCOUNT_LOCKED')
  expect((await signInFrom(service, '10.0.0.2')).status).toBe(200)
  // An address beyond the trusted hops is ignored.
  await failFrom(service, (attempt) => `10.0.0.${attempt}, 10.9.9.9`)
  expectProblem(await signInFrom(service, '10.0.0.99, 10.9.9.9'), 423, 'ACCOUNT_LOCKED')
})

test('PUBLIC_URL is the base of every link, whatever the request contains', async () => {
  const service = await serviceForTest({ environment: { PUBLIC_URL: 'https://studio.example', TRUST_PROXY: '1' } })
  expect(await createEventOrigin(service)).toBe('https://studio.example')
  const { events } = (await service.api.get('/api/v1/events', forwarded)).body
  expect(new URL(events[0].share_url).origin).toBe('https://studio.example')
})
