import { describe, expect, test } from 'vitest'
import { serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous } = service
const getPage = (path: string) => anonymous.get(path)

const parsePageData = (page: string) =>
  JSON.parse(/<script[^>]*id="admin-data"[^>]*>([^<]*)</.exec(page)?.[1] ?? 'null')

describe('the page of the admin app', () => {
  test('is the same for everybody at every path below /admin', async () => {
    const pages = await Promise.all(
      ['/admin', '/admin/', '/admin/events/7/picks?search=a', '/admin/nothing'].map(getPage),
    )
    for (const { status, headers, bytes } of pages) {
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(bytes.toString()).toMatch(/<script type="module" src="\/built\/admin\/assets\/[^"]+\.js"><\/script>/)
    }
    const { status, headers } = await fetch(service.url, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, '/admin'])
  })

  test('contains only public data', async () => {
    const settings = {
      branding_studio_name: '</script><b>Studio & Söhne',
      general_default_language: 'de',
      color_name_red: ' Album',
    }
    await admin.put('/api/admin/settings', settings)
    const page = (await getPage('/admin')).bytes.toString()
    expect(parsePageData(page)).toEqual({
      language: 'de',
      studioName: '</script><b>Studio & Söhne',
      colorNames: { red: 'Album' },
      version: expect.any(String),
      nonce: expect.stringMatching(/^[\w+/]{22}==$/),
      recaptchaSiteKey: null,
    })
    expect(page).toContain('<html lang="de"')
    expect(page).not.toContain('<b>')
    await admin.put('/api/admin/settings', {
      branding_studio_name: '',
      general_default_language: 'en',
      color_name_red: '',
    })
  })

  test('allows only own scripts, and styles of its own or with its one-time nonce', async () => {
    const pages = await Promise.all([getPage('/admin'), getPage('/admin')])
    const policies = pages.map(({ headers }) => headers.get('content-security-policy') ?? '')
    const nonces = pages.map(({ bytes }) => parsePageData(bytes.toString()).nonce as string)
    expect(new Set(nonces).size).toBe(2)
    for (const [index, policy] of policies.entries()) {
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain(`style-src 'self' 'nonce-${nonces[index]}';`)
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe')
    }
  })
})

test('with reCAPTCHA, the page allows its scripts and contains only its site key', async () => {
  const { anonymous } = await serviceForTest({
    environment: { RECAPTCHA_SITE_KEY: 'site-key', RECAPTCHA_SECRET_KEY: 'secret-key' },
  })
  const { bytes, headers } = await anonymous.get('/admin')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/;")
  expect(policy).toContain("frame-src 'self' https://www.google.com/recaptcha/")
  expect(parsePageData(bytes.toString()).recaptchaSiteKey).toBe('site-key')
  expect(bytes.toString()).not.toContain('secret-key')
})
