import { expect, test } from 'vitest'
import { isPreviewRequest } from './preview-request.ts'

const read = (method: string, agent?: string) =>
  isPreviewRequest({ method, headers: agent === undefined ? {} : { 'user-agent': agent } })

test.each([
  'WhatsApp/2.23.20.0 A',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
])('treats %s as a preview request', (agent) => {
  expect(read('GET', agent)).toBe(true)
})

test.each([
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/490.0]',
  'Mozilla/5.0 (Linux; Android 14; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
  'curl/8.9.1',
])('treats %s as a visit', (agent) => {
  expect(read('GET', agent)).toBe(false)
})

test('treats a HEAD as a preview request, but never a POST, and a GET without a user agent as a visit', () => {
  expect(read('POST', 'WhatsApp/2.23.20.0 A')).toBe(false)
  expect(read('HEAD', 'curl/8.9.1')).toBe(true)
  expect(read('GET')).toBe(false)
})
