import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { type Respond, startVerifier, verdict } from '../../support/network/recaptcha-verifier.ts'
import { reservePort } from '../../support/run/reserved-port.ts'
import { adminPassword, serviceForTest, sharedService, type TestService } from '../../support/service/test-service.ts'

const service = await sharedService()

/** The sign-in of the test client at the start fails, because it sends no reCAPTCHA token. */
const startCheckedService = (url: string, environment: Record<string, string> = {}): Promise<TestService> =>
  serviceForTest({ environment: { RECAPTCHA_SECRET_KEY: 'our secret', RECAPTCHA_VERIFY_URL: url, ...environment } })

const signInWithToken = ({ anonymous }: TestService, recaptchaToken?: string | null, password = adminPassword) =>
  anonymous.post('/api/auth/admin/login', { username: 'admin', password, recaptchaToken })

const listFailures = (service: TestService) =>
  readDatabase(service, (stored) => stored.prepare("select * from sign_in_failures where lock_key like 'user %'").all())

describe('with RECAPTCHA_SECRET_KEY', () => {
  test('a sign-in with a confirmed token succeeds, and the verifier gets a standard request', async () => {
    const verifier = await startVerifier()
    const service = await startCheckedService(verifier.url)
    expect((await signInWithToken(service, 'a person')).status).toBe(200)
    expect(verifier.received).toEqual([
      {
        method: 'POST',
        type: expect.stringMatching(/^application\/x-www-form-urlencoded/),
        form: { secret: 'our secret', response: 'a person' },
      },
    ])
  })

  test('a missing token is 400 RECAPTCHA_FAILED and calls no verifier', async () => {
    const verifier = await startVerifier()
    const service = await startCheckedService(verifier.url)
    for (const token of [undefined, null, ''])
      expectProblem(await signInWithToken(service, token), 400, 'RECAPTCHA_FAILED')
    expect(verifier.received).toEqual([])
  })

  test('a failed check is 400 RECAPTCHA_FAILED with any password, and does not count for the account', async () => {
    const verifier = await startVerifier()
    const service = await startCheckedService(verifier.url)
    for (let attempt = 0; attempt < 6; attempt++) {
      expectProblem(
        await signInWithToken(service, 'a program', attempt % 2 ? 'wrong' : adminPassword),
        400,
        'RECAPTCHA_FAILED',
      )
    }
    expect(listFailures(service)).toEqual([])
    expect((await signInWithToken(service, 'a person')).status).toBe(200)
    expectProblem(await signInWithToken(service, 'a person', 'wrong'), 401, 'INVALID_CREDENTIALS')
    expect(listFailures(service)).toHaveLength(1)
  })

  test('failed checks count for the address: 20 in 15 minutes, then 429; a passed check still works', async () => {
    const verifier = await startVerifier()
    const service = await startCheckedService(verifier.url, { RATE_LIMIT: 'on' })
    // The sign-in of the test client is the first of the 20.
    for (let attempt = 0; attempt < 19; attempt++) {
      expectProblem(await signInWithToken(service, 'a program'), 400, 'RECAPTCHA_FAILED')
    }
    expectProblem(await signInWithToken(service, 'a program'), 429, 'RATE_LIMITED')
    expect((await signInWithToken(service, 'a person')).status).toBe(200)
  })
})

describe('an invalid response of the verifier is 503 and rejects the sign-in', () => {
  /** Redirects to an address that would confirm the token. */
  function redirect(status: number): Respond {
    const answers = [(response: ServerResponse) => response.writeHead(status, { location: '/yes' }).end()]
    return (response, form) => (answers.pop() ?? verdict({ success: true }))(response, form)
  }

  test.each<[string, Respond]>([
    ['with 500', verdict({ success: true }, 500)],
    ['with a redirect', redirect(302)],
    ['with a redirect that keeps the form', redirect(307)],
    ['with what is no JSON', (response) => response.end('<html>success')],
    ['with what is no verdict', verdict({ success: 'true' })],
    ['with null', verdict(null)],
    ['with no end of an answer', (response) => response.end(`{"success": true, "x": "${'x'.repeat(200_000)}"}`)],
    ['that it does not know our secret', verdict({ success: false, 'error-codes': ['invalid-input-secret'] })],
    ['by hanging up', (response) => response.destroy()],
  ])('%s', async (_name, respond) => {
    const verifier = await startVerifier(respond)
    const service = await startCheckedService(verifier.url)
    const answer = await signInWithToken(service, 'a person')
    expectProblem(answer, 503, 'UNAVAILABLE')
    expect(answer.headers.get('retry-after')).toBe('10')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(listFailures(service)).toEqual([])
    expect(verifier.received).toHaveLength(1)
  })

  test('without a listener', async () => {
    const service = await startCheckedService(`http://127.0.0.1:${await reservePort()}/`)
    expectProblem(await signInWithToken(service, 'a person'), 503, 'UNAVAILABLE')
  })

  test('after 5 seconds, also if the response has started', async () => {
    const verifier = await startVerifier((response) => response.writeHead(200).write('{"success":'))
    const service = await startCheckedService(verifier.url)
    const startedAt = performance.now()
    expectProblem(await signInWithToken(service, 'a person'), 503, 'UNAVAILABLE')
    // Only a lower bound, because load can delay the response.
    expect(performance.now() - startedAt).toBeGreaterThan(4_500)
  })
})

describe('without the secret', () => {
  test('no verifier is called, with any token', async () => {
    const verifier = await startVerifier()
    const service = await serviceForTest({ environment: { RECAPTCHA_VERIFY_URL: verifier.url } })
    const login = { username: 'admin', password: adminPassword, recaptchaToken: 'a program' }
    expect((await service.anonymous.post('/api/auth/admin/login', login)).status).toBe(200)
    expect(verifier.received).toEqual([])
  })
})

describe('the public settings', () => {
  test('contain no site key while it is off', async () => {
    const { body } = await service.anonymous.get('/api/public/settings')
    expect(body.recaptcha_site_key).toBeNull()
  })

  test('contain the site key, never the secret', async () => {
    const verifier = await startVerifier()
    const checked = await startCheckedService(verifier.url, { RECAPTCHA_SITE_KEY: 'key of the site' })
    const { body, bytes } = await checked.anonymous.get('/api/public/settings')
    expect(body.recaptcha_site_key).toBe('key of the site')
    expect(bytes.toString()).not.toContain('our secret')
  })
})
