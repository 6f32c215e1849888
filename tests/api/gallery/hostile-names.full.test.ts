import { expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { parsePageData } from '../../support/clients/page-data.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service

const hostile = [
  '</script><script>alert(1)</script></title></style>',
  '</SCRIPT\t><!--<script><img src=x onerror=alert(1)>',
  "\"><svg onload=alert(1)>' onmouseover='alert(1)",
  ']]><x>${alert(1)}{{7*7}}&lt;b&gt; &amp;#60;',
  'line\u2028and\u2029paragraph \u202Egnp.exe\u2066\u2067 אבג',
  '__proto__',
]

const allowedElements =
  /^<\/?(!doctype|html|head|meta|title|link|style|body|header|footer|main|div|nav|section|h1|p|ul|li|a|img|span|bdi|br|script|button|form|label|input|time|svg|path|small|strong|em)\b/i

test.each(hostile)('%j appears as text wherever the page shows a name', async (name) => {
  await admin.put('/api/admin/branding', { studio_name: name.replace(/[\u2028\u2029]/g, ' ') })
  const event = await createEvent(api, { event_name: name.slice(0, 100), welcome_message: name })
  const category = await admin.post('/api/admin/categories', { name, event_id: event.id })
  const fields = { category_id: category.body.id }
  await api.upload(event.id, await jpeg({ seed: 1 }), { name: `${name.replaceAll('/', '∕')}.jpg`, fields })
  const browser = createCookieClient(service.url)
  const path = new URL(event.share_url).pathname
  await browser.get(path)
  await browser.post(`/api/gallery/${event.slug}/guest`, { name })
  const page = await browser.get(path)
  expect(page.status).toBe(200)
  const markup = page.bytes.toString()

  // Finds elements as the tokenizer of a browser does: escaped text is not an element.
  const elements = markup.match(/<[a-z/!][^>]*>/gi) ?? []
  expect(elements.filter((element) => !allowedElements.test(element))).toEqual([])
  expect(elements.filter((element) => /\son\w+\s*=/i.test(element.replace(/"[^"]*"/g, '""')))).toEqual([])
  expect(markup.match(/<script/gi)).toHaveLength(2)
  expect(markup.match(/<\/script/gi)).toHaveLength(2)
  expect(markup.match(/<\/title/gi)).toHaveLength(1)

  const data = parsePageData(page)
  expect(data.event.event_name).toBe(name.slice(0, 100).trim())
  // The name of a guest is one line without bidirectional control characters.
  expect(data.viewer.guest?.name).toBe(name.replace(/[\s\u202A-\u202E\u2066-\u2069]+/g, ' ').trim())
  expect(data.categories.map((one) => one.name)).toEqual([name])
  expect(markup).toContain('<h1 dir="auto"')
})

test('an inline style contains only ratios', async () => {
  const event = await createEvent(api, { event_name: 'a{}</style>' })
  await api.upload(event.id, await jpeg({ seed: 9 }), { name: '}.jpg' })
  const page = (await createCookieClient(service.url).get(new URL(event.share_url).pathname)).bytes.toString()
  const [, style = 'none'] = /<style>([^<]*)<\/style>/.exec(page) ?? []
  expect(style).toMatch(/^(\.r\d+\{--ratio:[\d.]+\})+$/)
})
