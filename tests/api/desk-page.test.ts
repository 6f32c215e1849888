import { describe, expect, test } from 'vitest'
import { serviceForFile, serviceForTest } from '../support/test-service.ts'

const service = await serviceForFile()
const { admin, anonymous } = service
const open = (path: string) => anonymous.get(path)

/** What the page of the operators' app tells its script. */
const told = (page: string) => JSON.parse(/<script[^>]*id="desk-data"[^>]*>([^<]*)</.exec(page)?.[1] ?? 'null')

describe('the page of the operators’ app', () => {
  test('is the same at every address below /admin, for whoever asks', async () => {
    const pages = await Promise.all(['/admin', '/admin/', '/admin/events/7/picks?search=a', '/admin/nothing'].map(open))
    for (const { status, headers, bytes } of pages) {
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(bytes.toString()).toMatch(/<script type="module" src="\/built\/admin\/assets\/[^"]+\.js"><\/script>/)
    }
  })

  test('is where the root leads', async () => {
    const { status, headers } = await fetch(service.url, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, '/admin'])
  })

  test('tells what is for everybody, and no more', async () => {
    await admin.put('/api/admin/settings', {
      branding_studio_name: '</script><b>Studio & Söhne',
      general_default_language: 'de',
    })
    const page = (await open('/admin')).bytes.toString()
    expect(told(page)).toEqual({
      language: 'de',
      studioName: '</script><b>Studio & Söhne',
      version: expect.any(String),
      nonce: expect.stringMatching(/^[\w+/]{22}==$/),
      recaptchaSiteKey: null,
    })
    expect(page).toContain('<html lang="de"')
    expect(page).not.toContain('<b>')
  })

  test('runs no script but its own, and style only of its own and of its one-time nonce', async () => {
    const pages = await Promise.all([open('/admin'), open('/admin')])
    const policies = pages.map(({ headers }) => headers.get('content-security-policy') ?? '')
    const nonces = pages.map(({ bytes }) => told(bytes.toString()).nonce as string)
    expect(new Set(nonces).size).toBe(2)
    for (const [index, policy] of policies.entries()) {
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain(`style-src 'self' 'nonce-${nonces[index]}';`)
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe')
    }
  })
})

test('with reCAPTCHA, the page may load that as well, and is told the key of the site alone', async () => {
  const { anonymous } = await serviceForTest({
    environment: { RECAPTCHA_SITE_KEY: 'site-key', RECAPTCHA_SECRET_KEY: 'secret-key' },
  })
  const { bytes, headers } = await anonymous.get('/admin')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/;")
  expect(policy).toContain("frame-src 'self' https://www.google.com/recaptcha/")
  expect(told(bytes.toString()).recaptchaSiteKey).toBe('site-key')
  expect(bytes.toString()).not.toContain('secret-key')
})
