import { describe, expect, test } from 'vitest'
import { foreignForms, ownForms } from '../../support/access/form-origins.ts'
import type { TestResponse } from '../../support/clients/test-client.ts'
import { signIn } from '../../support/fixtures/accounts.ts'
import { invite } from '../../support/fixtures/people.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous } = service
const password = 'chosen by <myself>'

const html = ({ bytes }: TestResponse) => bytes.toString()
const open = (token: string, headers: Record<string, string> = {}) => anonymous.get(`/invite/${token}`, headers)
const submitForm = (token: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  anonymous.call('POST', `/invite/${token}`, { headers, body: new URLSearchParams(fields), redirect: 'manual' })

describe('the page of an invitation', () => {
  test('has a plain password form without script or referrer, which is not cached', async () => {
    const { token, username } = await invite(admin, { username: 'Ana <b>Berg</b>' })
    const pages = [await open(token), await open(token), await open('nothing'), await submitForm('nothing', {})]
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 404, 404])
    for (const { headers } of pages) {
      expect(headers.get('content-type')).toMatch(/^text\/html/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const page = html(pages[0] as TestResponse)
    expect(page).toContain(`<form method="post" action="/invite/${token}"`)
    expect(page).toMatch(/<input name="password" type="password"/)
    expect(page).not.toMatch(/<script|<b>Berg/)
    expect(page).toContain(username.replaceAll('<', '&#60;').replaceAll('>', '&#62;'))
  })

  test('sets the password of the account, and then no longer exists', async () => {
    const { token, username } = await invite(admin)
    const done = await submitForm(token, { password, again: password })
    expect([done.status, html(done).includes(username)]).toEqual([200, true])
    expect(html(done)).toContain('<form action="/admin/sign-in"><button>Sign in</button></form>')
    expect((await signIn(service, username, password)).status).toBe(200)
    for (const answer of [await open(token), await submitForm(token, { password, again: password })])
      expect([answer.status, html(answer).includes('is no longer valid')]).toEqual([404, true])
  })

  test('accepts its own form only, and shows it again after that of another site', async () => {
    const { token } = await invite(admin)
    for (const headers of foreignForms) {
      const foreign = await submitForm(token, { password, again: password }, headers)
      expect(foreign.status).toBe(403)
      expect(html(foreign)).toContain('This form was sent from another website')
      expect(html(foreign)).toContain('<form')
    }
    for (const headers of ownForms(service.url)) {
      const own = await invite(admin)
      expect((await submitForm(own.token, { password, again: password }, headers)).status).toBe(200)
    }
  })

  test('shows account and rule again if the two passwords are not valid, but never the passwords', async () => {
    const { token, username } = await invite(admin)
    for (const [fields, expectedText] of [
      [{ password, again: 'something else' }, 'do not match'],
      [{ password: '11 letters.', again: '11 letters.' }, '12 to 128'],
      [{}, '12 to 128'],
    ] as Array<[Record<string, string>, string]>) {
      const answer = await submitForm(token, fields)
      expect(answer.status).toBe(400)
      expect(html(answer)).toMatch(new RegExp(`<p id="why" class="wrong">[^<]*${expectedText}`))
      expect(html(answer)).toContain(`For the account ${username}. At least 12 characters.`)
      expect(html(answer)).toContain('<form')
      expect(html(answer)).not.toMatch(/chosen by|11 letters|something else/)
    }
    expect((await open(token)).status).toBe(200)
  })

  test('uses the language of its reader', async () => {
    const { token } = await invite(admin)
    const page = html(await open(token, { 'accept-language': 'de-AT,de;q=0.9' }))
    expect(page).toContain('<html lang="de"')
    expect(page).toContain('Passwort wählen')
    const other = html(await open(token, { 'accept-language': 'den, de;q=0.1, en;q=0.5' }))
    expect(other).toContain('<html lang="en"')
  })

  test('a malformed address is a page as well', async () => {
    for (const path of [`/invite/${'x'.repeat(300)}`, '/invite/%00', '/invite/a%20b']) {
      const answer = await anonymous.get(path)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    }
  })
})
