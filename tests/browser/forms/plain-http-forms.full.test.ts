import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumForFile } from '../../support/browser/guest-page.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { invite } from '../../support/fixtures/people.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const guests = await chromiumForFile()

/** Browsers send `Sec-Fetch-Site` to this host only over HTTPS, unlike to 127.0.0.1. */
const atPlainHost = (address: string, host = 'photos.test') => address.replace('127.0.0.1', host)
const origin = atPlainHost(service.url)

const withoutScript = { javaScriptEnabled: false }
const password = 'seaside-evening'
const lockedEvent = () => createEvent(service.api, { require_password: true, password })

test('a guest enters by password and continues on another device, without script', async () => {
  const event = await lockedEvent()
  const { page } = await guests.openBlankPage(origin, 'phone', withoutScript)
  await page.goto(atPlainHost(event.share_url))
  await page.getByLabel('Password').fill('not-the-password')
  await page.getByRole('button', { name: 'Open gallery' }).tap()
  await page.getByText('Incorrect password. Try again.').waitFor()
  await page.getByLabel('Password').fill(password)
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'POST'),
    page.getByRole('button', { name: 'Open gallery' }).tap(),
  ])
  await page.getByText('The photos are coming soon.').waitFor()
  const headers = await request.allHeaders()
  expect([headers.origin, headers['sec-fetch-site']]).toEqual([origin, undefined])

  const session = (await page.context().cookies(origin)).find(({ name }) => name === `gallery_${event.id}`)
  const guest = createClient(service.url, session?.value)
  const { body: link } = await guest.post(`/api/gallery/${event.slug}/guest/link`, {})
  const { page: other } = await guests.openBlankPage(origin, 'phone', withoutScript)
  await other.goto(atPlainHost(link.url))
  await other.getByRole('button', { name: 'Continue on this device' }).tap()
  await other.getByText('The photos are coming soon.').waitFor()
})

test('an invited person chooses a password, without script', async () => {
  const { token, username } = await invite(service.admin)
  const { page } = await guests.openBlankPage(origin, 'phone', withoutScript)
  await page.goto(`${origin}/invite/${token}`)
  await page.getByLabel('Password', { exact: true }).fill('chosen by myself')
  await page.getByLabel('Repeat password').fill('chosen by myself')
  await page.getByRole('button', { name: 'Save password' }).tap()
  await page.getByText(`You can now sign in as ${username}.`).waitFor()
})

test.each(['no-referrer', 'unsafe-url'])(
  'a form of another site with the policy %s does not enter a gallery',
  async (policy) => {
    const event = await lockedEvent()
    const action = atPlainHost(`${service.url}/gallery/${event.slug}/enter`)
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': policy })
      response.end(
        `<form method="post" action="${action}"><input name="password" value="${password}"><button>Go</button></form>`,
      )
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void site.close())
    const { page } = await guests.openBlankPage(origin, 'phone', withoutScript)
    await page.goto(atPlainHost(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`, 'evil.test'))
    await page.getByRole('button', { name: 'Go' }).tap()
    await page.getByText('This form was sent from another website').waitFor()
    expect((await page.context().cookies(origin)).map(({ name }) => name)).toEqual([])
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Open gallery' }).tap()
    await page.getByText('The photos are coming soon.').waitFor()
  },
)
