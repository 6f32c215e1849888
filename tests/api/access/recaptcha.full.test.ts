import { expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { type Respond, startVerifier, verdict } from '../../support/network/recaptcha-verifier.ts'
import { adminPassword, serviceForFile, serviceForTest, type TestService } from '../../support/service/test-service.ts'

/** The sign-in of the test client at the start fails, because it sends no reCAPTCHA token. */
const startCheckedService = (url: string, environment: Record<string, string> = {}): Promise<TestService> =>
  serviceForTest({ environment: { RECAPTCHA_SECRET_KEY: 'our secret', RECAPTCHA_VERIFY_URL: url, ...environment } })

const signInWithToken = ({ anonymous }: TestService, recaptchaToken?: string | null, password = adminPassword) =>
  anonymous.post('/api/auth/admin/login', { username: 'admin', password, recaptchaToken })

const listFailures = (service: TestService) =>
  readDatabase(service, (stored) => stored.prepare("select * from sign_in_failures where lock_key like 'user %'").all())

// Starts first, because the test clients read the descriptions of the API with its session.
const unchecked = await serviceForFile({ environment: { RECAPTCHA_VERIFY_URL: 'http://127.0.0.1:1/' } })

test('without the secret no verifier is called, with any token, and there is no site key', async () => {
  for (const token of ['', null, undefined, 'a program']) {
    expect((await signInWithToken(unchecked, token)).status).toBe(200)
  }
  expect((await unchecked.anonymous.get('/api/public/settings')).body.recaptcha_site_key).toBeNull()
})

test('with RECAPTCHA_SECRET_KEY only a confirmed token signs in, and a failed check does not lock', async () => {
  const verifier = await startVerifier()
  const service = await startCheckedService(verifier.url, { RECAPTCHA_SITE_KEY: 'key of the site' })
  for (const token of [undefined, null, ''])
    expectProblem(await signInWithToken(service, token), 400, 'RECAPTCHA_FAILED')
  expect(verifier.received).toEqual([])
  for (let attempt = 0; attempt < 6; attempt++) {
    const answer = await signInWithToken(service, 'a program', attempt % 2 ? 'wrong' : adminPassword)
    expectProblem(answer, 400, 'RECAPTCHA_FAILED')
  }
  expect(listFailures(service)).toEqual([])
  expect((await signInWithToken(service, 'a person')).status).toBe(200)
  expect(verifier.received.at(-1)).toEqual({
    method: 'POST',
    type: expect.stringMatching(/^application\/x-www-form-urlencoded/),
    form: { secret: 'our secret', response: 'a person' },
  })
  expectProblem(await signInWithToken(service, 'a person', 'wrong'), 401, 'INVALID_CREDENTIALS')
  expect(listFailures(service)).toHaveLength(1)
  const { body, bytes } = await service.anonymous.get('/api/public/settings')
  expect(body.recaptcha_site_key).toBe('key of the site')
  expect(bytes.toString()).not.toContain('our secret')
})

test('failed checks count for the address: 20 in 15 minutes, then 429; a passed check still works', {
  tags: 'nightly',
}, async () => {
  const verifier = await startVerifier()
  const service = await startCheckedService(verifier.url, { RATE_LIMIT: 'on' })
  // The sign-in of the test client is the first of the 20.
  for (let attempt = 0; attempt < 19; attempt++) {
    expectProblem(await signInWithToken(service, 'a program'), 400, 'RECAPTCHA_FAILED')
  }
  expectProblem(await signInWithToken(service, 'a program'), 429, 'RATE_LIMITED')
  expect((await signInWithToken(service, 'a person')).status).toBe(200)
})

test('an invalid response of the verifier is 503 and rejects the sign-in', { tags: 'nightly' }, async () => {
  // The target of the redirects would confirm the token.
  const redirect = (status: number): Respond[] => [
    (response) => response.writeHead(status, { location: '/yes' }).end(),
    verdict({ success: true }),
  ]
  const endless = `{"success": true, "x": "${'x'.repeat(200_000)}"}`
  const cases: Record<string, Respond | Respond[]> = {
    'a 500': verdict({ success: true }, 500),
    'a redirect': redirect(302),
    'a redirect that keeps the form': redirect(307),
    'no JSON': (response) => response.end('<html>success'),
    'no verdict': verdict({ success: 'true' }),
    null: verdict(null),
    'no end of an answer': (response) => response.end(endless),
    'an unknown secret': verdict({ success: false, 'error-codes': ['invalid-input-secret'] }),
    'a lost connection': (response) => response.destroy(),
    // Ends after 5 seconds.
    'a response that only starts': (response) => response.writeHead(200).write('{"success":'),
  }
  let answers: Respond[] = []
  const verifier = await startVerifier((response, form) => answers.shift()?.(response, form))
  const service = await startCheckedService(verifier.url)
  for (const [name, respond] of Object.entries(cases)) {
    answers = [respond].flat()
    const { status, body, headers } = await signInWithToken(service, 'a person')
    expect([status, body.code, headers.get('retry-after')], name).toEqual([503, 'UNAVAILABLE', '10'])
    expect(headers.getSetCookie(), name).toEqual([])
  }
  expect(verifier.received).toHaveLength(Object.keys(cases).length)
  expect(listFailures(service)).toEqual([])
})
