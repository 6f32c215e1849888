import { describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import type { TestResponse } from '../../support/clients/test-client.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const { anonymous, api, url } = await sharedService()
const event = await createEvent(api)
const locked = await createEvent(api, { require_password: true, password: 'open sesame' })

const pagePath = ({ slug, share_token }: TestEvent) => `/gallery/${slug}/${share_token}`
const html = ({ bytes }: TestResponse) => bytes.toString()
const getLanguage = (page: TestResponse) => /<html lang="([^"]*)"/.exec(html(page))?.[1]

describe('a language in the URL of a page', () => {
  test('is stored in a cookie for a year, and the browser is redirected to the URL without it', async () => {
    const browser = createCookieClient(url)
    const { status, headers } = await browser.get(`${pagePath(event)}?search=a%20b&language=de&page=2`)
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(`${pagePath(event)}?search=a+b&page=2`)
    const [cookie] = headers.getSetCookie()
    expect(cookie).toMatch(/^language=de;/)
    expect(cookie).toMatch(/; Max-Age=31536000/i)
    expect(cookie).toMatch(/; Path=\//i)
    expect(cookie).toMatch(/; SameSite=Lax/i)
    // Scripts may change the cookie as well.
    expect(cookie).not.toMatch(/HttpOnly/i)
    expect(getLanguage(await browser.get(pagePath(event)))).toBe('de')
  })

  test('applies to every page, also before the password and for unknown galleries', async () => {
    for (const path of [pagePath(locked), `/gallery/${locked.slug}`, '/gallery/nothing/here']) {
      const browser = createCookieClient(url)
      const { status, headers } = await browser.get(`${path}?language=de`)
      expect([status, headers.get('location')]).toEqual([303, path])
      expect(getLanguage(await browser.get(path))).toBe('de')
    }
  })

  test('changes nothing if it is unknown', async () => {
    for (const code of ['tlh', '', '../../etc/passwd', 'en.json', '__proto__']) {
      const page = await createCookieClient(url).get(`${pagePath(event)}?language=${encodeURIComponent(code)}`)
      expect(page.status).toBe(200)
      expect(page.headers.getSetCookie().filter((line) => line.startsWith('language='))).toEqual([])
    }
  })

  test('never redirects to another site', async () => {
    const browser = createCookieClient(url)
    for (const path of ['/gallery//evil.example', '/gallery/%2F%2Fevil.example', '/gallery/..%5Cevil.example']) {
      const { status, headers } = await browser.get(`${path}?language=de`)
      expect([status, headers.get('location')]).toEqual([303, path])
    }
  })
})

test('without a choice of the guest, Accept-Language counts by quality', async () => {
  const page = await anonymous.get(pagePath(event), { 'accept-language': 'fr, en;q=0.5, de-AT;q=0.9' })
  expect(getLanguage(page)).toBe('de')
})

describe('without JavaScript', () => {
  test('each page links to all languages by name, and marks its own', async () => {
    for (const path of [`${pagePath(event)}?search=kiss`, pagePath(locked), '/gallery/nothing/here']) {
      const page = html(await createCookieClient(url).get(path))
      const query = path.includes('?') ? 'search=kiss&#38;' : ''
      expect(page).toContain(`<a href="?${query}language=de" hreflang="de" lang="de">Deutsch</a>`)
      expect(page).toContain(`<a href="?${query}language=en" hreflang="en" lang="en" aria-current="true">English</a>`)
    }
  })

  test('a response to a form links to the page of the form, since a link would not send it again', async () => {
    const answer = await createCookieClient(url).submit(`/gallery/${locked.slug}/enter`, { password: 'wrong' })
    expect(answer.status).toBe(401)
    expect(html(answer)).toContain(`<a href="/gallery/${locked.slug}?language=de"`)
  })
})
