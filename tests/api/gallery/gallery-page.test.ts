import { beforeAll, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { requestWithHost } from '../../support/clients/request-with-host.ts'
import type { TestResponse } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { adminPassword, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const password = 'open sesame & <more>'
const service = await sharedService()
const { admin, anonymous, api } = service
let openEvent: TestEvent
let lockedEvent: TestEvent
beforeAll(async () => {
  openEvent = await createEvent(api, {
    event_name: 'Ana & <b>Ben</b>',
    welcome_message: 'Hello <script>alert(1)</script>',
  })
  lockedEvent = await createEvent(api, { require_password: true, password })
  await uploadPhotos(api, openEvent.id, 3)
  await uploadPhotos(api, lockedEvent.id, 2)
})

const pagePath = ({ slug, share_token }: TestEvent) => `/gallery/${slug}/${share_token}`
const getCookie = ({ headers }: TestResponse) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
const html = ({ bytes }: TestResponse) => bytes.toString()
const listThumbnails = (page: TestResponse) => html(page).match(/\/api\/gallery\/[\w-]+\/thumbnail\/\d+/g) ?? []

const enter = ({ slug }: TestEvent, fields: Record<string, string>) =>
  anonymous.call('POST', `/gallery/${slug}/enter`, { body: new URLSearchParams(fields), redirect: 'manual' })

describe('share_url', () => {
  test('returns 200 with the gallery page, whose pictures load with its cookie', async () => {
    const page = await anonymous.get(new URL(openEvent.share_url).pathname)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(new Set(listThumbnails(page)).size).toBe(3)
    for (const path of listThumbnails(page)) {
      expect((await anonymous.get(path, { cookie: getCookie(page) })).status).toBe(200)
      expect((await anonymous.get(path)).status).toBe(401)
    }
  })

  test('escapes what operators write, and has valid pictures and no inline script but data, which none runs', async () => {
    const page = await anonymous.get(pagePath(openEvent))
    expect(html(page)).not.toContain('<script>')
    expect(html(page)).not.toContain('<b>Ben')
    const sets = [...html(page).matchAll(/ srcset="([^"]*)"/g)].map(([, set = '']) => set.split(', '))
    expect(sets).toHaveLength(3)
    for (const set of sets) {
      const widths = set.map((candidate) => candidate.split(' ')[1])
      expect(widths).toEqual([...new Set(widths)])
    }
    const blocking = (html(page).match(/<link [^>]*>/g) ?? []).filter((link) => link.includes(' blocking='))
    expect(blocking.filter((link) => !link.includes('rel="stylesheet"'))).toEqual([])
    const scripts = html(page).match(/<script[^>]*>/g) ?? []
    expect(scripts).toHaveLength(2)
    expect(scripts[0]).toBe('<script type="application/json" id="gallery-data">')
    expect(scripts[1]).toMatch(/^<script type="module" src="\/built\/assets\/start-[\w-]+\.js">$/)
    expect(html(page)).not.toMatch(/\s(on\w+|style)=/)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self';/)
    expect(policy).not.toContain('unsafe')
  })

  test('protects the link: no referrer, no index, nothing from other sites', async () => {
    for (const path of [pagePath(openEvent), pagePath(lockedEvent), '/gallery/nothing/x']) {
      const { headers } = await anonymous.get(path)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test('with a wrong token, slug or form returns a page too, without photos', async () => {
    const { slug } = openEvent
    const addresses = [`${slug}/wrong`, slug, 'nothing/x', 'nothing', `x/${'a'.repeat(300)}`, '%20/b', 'x?page=abc']
    for (const address of addresses) {
      const page = await anonymous.get(`/gallery/${address}`, { accept: 'application/json' })
      expect([address, page.status, page.headers.get('content-type')]).toEqual([
        address,
        404,
        'text/html; charset=utf-8',
      ])
      expect(listThumbnails(page)).toEqual([])
      expect(page.headers.getSetCookie()).toEqual([])
    }
    expectProblem(await anonymous.get('/api/gallery/nothing/info', { accept: 'text/html' }), 404, 'NOT_FOUND')
  })

  test('offers no download where the event forbids them', async () => {
    const event = await createEvent(api, { allow_downloads: false })
    await uploadPhotos(api, event.id, 1)
    expect(html(await anonymous.get(pagePath(event)))).not.toContain('/download/')
    expect(html(await anonymous.get(pagePath(openEvent)))).toContain('/download/')
  })

  test('shows many photos in pages', async () => {
    const event = await createEvent(api)
    const [first] = await uploadPhotos(api, event.id, 1)
    await changeDatabase(service, (stored) => {
      copyRow(stored, 'photos', first, 99, { filename: "n.value || '.jpg'" })
      const totals = 'update event_photo_totals set photo_count = 100, visible_count = 100 where event_id = ?'
      stored.prepare(totals).run(event.id)
    })
    const entered = await anonymous.get(pagePath(event))
    const others = [2, 3, 4].map((number) =>
      anonymous.get(`${pagePath(event)}?page=${number}`, { cookie: getCookie(entered) }),
    )
    const [second, third, fourth] = (await Promise.all(others)) as [TestResponse, TestResponse, TestResponse]
    const shown = [entered, second, third].flatMap((page) => listThumbnails(page))
    expect(new Set(shown).size).toBe(100)
    expect(html(entered)).toContain('?page=2')
    expect(html(second)).toContain('?page=3')
    expect(fourth.status).toBe(200)
    expect(listThumbnails(fourth)).toEqual([])
  })
})

describe('a gallery with a password', () => {
  test('shows a plain form that works without JavaScript', async () => {
    const page = await anonymous.get(pagePath(lockedEvent))
    expect(page.status).toBe(200)
    expect(html(page)).toContain(`<form method="post" action="/gallery/${lockedEvent.slug}/enter"`)
    const field = /<input[^>]+type="password"[^>]+>/.exec(html(page))?.[0]
    expect(field).toContain(' autocapitalize="none" autocorrect="off" spellcheck="false" ')
    expect(html(page)).not.toMatch(/<script(?! type="module" src="\/assets\/show-password.js")/)
    expect(listThumbnails(page)).toEqual([])
    expect(page.headers.getSetCookie()).toEqual(['cookies=1; Path=/gallery; HttpOnly; SameSite=Lax'])
  })

  test('the form keeps the filter and the photo of the link, also after a wrong password, and its languages', async () => {
    const browser = createCookieClient(service.url)
    const query = 'category_id=6&photo=33'
    const form = await browser.get(`${pagePath(lockedEvent)}?${query}`)
    const action = `/gallery/${lockedEvent.slug}/enter?${query}`
    expect(html(form)).toContain(`action="${action.replace('&', '&#38;')}"`)
    const rejected = await browser.submit(action, { password: 'wrong', share_token: lockedEvent.share_token })
    expect(html(rejected)).toContain(`action="${action.replace('&', '&#38;')}"`)
    expect(html(rejected)).toContain(`<a href="${pagePath(lockedEvent)}?category_id=6&#38;photo=33&#38;language=de"`)
    const cookie = 'cookies=1'
    const body = new URLSearchParams({ password, share_token: lockedEvent.share_token })
    const entered = await anonymous.call('POST', action, { body, headers: { cookie }, redirect: 'manual' })
    expect(entered.headers.get('location')).toBe(`${pagePath(lockedEvent)}?${query}`)
  })

  test('opens with the right one: 303 and a cookie, with which the page shows its pictures, and not without', async () => {
    const entered = await enter(lockedEvent, { password, share_token: lockedEvent.share_token })
    expect(entered.status).toBe(303)
    const cookie = getCookie(entered)
    expect(cookie).toMatch(new RegExp(`^gallery_${lockedEvent.id}=`))
    expect(entered.headers.getSetCookie().join()).toMatch(/HttpOnly/i)
    const page = await anonymous.get(entered.headers.get('location') ?? '', { cookie })
    expect(page.status).toBe(200)
    expect(new Set(listThumbnails(page)).size).toBe(2)
    for (const path of listThumbnails(page)) expect((await anonymous.get(path, { cookie })).status).toBe(200)
    const withoutCookies = html(await anonymous.get(entered.headers.get('location') ?? ''))
    expect(withoutCookies).toContain('your browser blocks cookies')
    expect(withoutCookies).toContain(`action="/gallery/${lockedEvent.slug}/enter"`)
  })

  test('shows the form again with 401 and no cookie after a wrong one, and escapes a hostile share_token', async () => {
    const share_token = '"><script>alert(1)</script>'
    const rejected = await enter(lockedEvent, { password: 'wrong', share_token })
    expect([rejected.status, rejected.headers.getSetCookie()]).toEqual([401, []])
    expect(rejected.headers.get('content-type')).toMatch(/^text\/html/)
    expect(html(rejected)).toContain(`action="/gallery/${lockedEvent.slug}/enter"`)
    for (const text of ['value="wrong"', '<script>']) expect(html(rejected)).not.toContain(text)
    expect((await enter({ ...lockedEvent, slug: 'nothing' }, { password })).status).toBe(401)
    const entered = await enter(lockedEvent, { password, share_token: '//evil.example' })
    expect(entered.headers.get('location')).toBe(`/gallery/${lockedEvent.slug}?no_cookies=1`)
  })

  test('says after a wrong password that it began with a capital letter, and does not repeat it', async () => {
    const capital = 'Your entry began with a capital letter.'
    for (const wrong of ['Wrongly', ' Écrit']) {
      const rejected = await enter(lockedEvent, { password: wrong })
      expect(rejected.status).toBe(401)
      expect(html(rejected)).toContain(`Incorrect password. Try again. ${capital}</p>`)
      expect(html(rejected)).not.toContain(wrong.trim())
    }
    expect(html(await enter(lockedEvent, { password: 'wrongLY' }))).not.toContain(capital)
    expect((await anonymous.get(pagePath(lockedEvent))).bytes.toString()).not.toContain(capital)
  })

  test('opens at its slug with the password, while links are not required', async () => {
    const form = await anonymous.get(`/gallery/${lockedEvent.slug}`)
    expect(html(form)).toMatch(/<input[^>]+type="password"/)
    expect((await enter(lockedEvent, { password })).status).toBe(303)
    await admin.put('/api/admin/settings', { gallery_password_needs_link: true })
    expect((await enter(lockedEvent, { password })).status).toBe(401)
    const page = await anonymous.get(`/gallery/${lockedEvent.slug}`)
    expect(html(page)).not.toContain('<form')
    expect(page.status).toBe(404)
    await admin.put('/api/admin/settings', { gallery_password_needs_link: false })
  })
})

test('a gallery without password opens on its slug only while gallery_allow_slug_only is on', async () => {
  expect((await anonymous.get(`/gallery/${openEvent.slug}`)).status).toBe(404)
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: true })
  const page = await anonymous.get(`/gallery/${openEvent.slug}`)
  expect(new Set(listThumbnails(page)).size).toBe(3)
  expect(html(await anonymous.get(`/gallery/${lockedEvent.slug}`))).toMatch(/<input[^>]+type="password"/)
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: false })
})

test('the Host of an anonymous request never reaches a stored value; that of a super_admin is stored', async () => {
  const fresh = await serviceForTest()
  const event = await createEvent(fresh.api)
  const dumpDatabase = () =>
    readDatabase(fresh, (stored) =>
      JSON.stringify(stored.tables().map((name) => stored.prepare(`select * from "${name}"`).all())),
    )
  const calls: Array<[string, string, object?]> = [
    ['POST', '/api/auth/admin/login', { username: 'admin', password: 'wrong' }],
    ['POST', '/api/auth/gallery/share-login', { slug: event.slug, token: event.share_token }],
    ['POST', '/api/auth/logout', {}],
    ['GET', pagePath(event)],
    ['GET', `/api/gallery/${event.slug}/info`],
    ['GET', '/api/openapi.json'],
  ]
  for (const [method, path, body] of calls) await requestWithHost(fresh.url, 'evil.example', method, path, body)
  expect(dumpDatabase()).not.toContain('evil.example')
  const login = { username: 'admin', password: adminPassword }
  await requestWithHost(fresh.url, 'photos.example', 'POST', '/api/auth/admin/login', login)
  expect(dumpDatabase()).toContain('http://photos.example')
})
