import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, type TestOptions, test } from 'vitest'
import { chromiumForFile } from '../../support/browser/guest-page.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { signIn } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { invite } from '../../support/fixtures/people.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()

/** Browsers send `Sec-Fetch-Site` to this host only over HTTPS, unlike to 127.0.0.1. */
const atPlainHost = (address: string, host = 'photos.test') => address.replace('127.0.0.1', host)
const origin = atPlainHost(service.url)

const withoutScript = { javaScriptEnabled: false }
const password = 'seaside-evening'
const lockedEvent = () => createEvent(service.api, { require_password: true, password })

test('a guest without script enters by password, sees the photos, opens one, and continues on another device', async () => {
  const event = await lockedEvent()
  await uploadPhotos(service.api, event.id, 6)
  const { page, pageErrors } = await guests.openBlankPage(origin, 'phone', withoutScript)
  await page.goto(atPlainHost(event.share_url))
  await page.getByLabel('Password').fill('Not-the-password')
  await page.getByRole('button', { name: 'Open gallery' }).tap()
  await page.getByText('Incorrect password. Try again. Your entry began with a capital letter.').waitFor()
  // Chromium logs every 401, including that of the form.
  expect(pageErrors.splice(0)).toEqual([expect.stringMatching(/401 .*\/enter\)$/)])
  await page.getByLabel('Password').fill(password)
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'POST'),
    page.getByRole('button', { name: 'Open gallery' }).tap(),
  ])
  const firstPhoto = page.getByRole('img', { name: 'Photo 1 of 6' })
  await firstPhoto.waitFor()
  expect(page.url()).toBe(atPlainHost(event.share_url))
  const headers = await request.allHeaders()
  expect([headers.origin, headers['sec-fetch-site']]).toEqual([origin, undefined])
  await page.waitForLoadState('networkidle')
  const pictures = page.locator('.photo img:not(.hash)')
  const areThere = await pictures.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth > 0))
  expect(areThere).toEqual(Array(6).fill(true))
  expect(pageErrors).toEqual([])

  await firstPhoto.tap()
  await page.getByRole('heading', { name: 'Photo 1 of 6' }).waitFor()
  await page.waitForLoadState('networkidle')
  await firstPhoto.tap()
  await page.waitForURL('**/photo/*')
  expect(await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60)
  await page.goBack()
  await page.goBack()
  await firstPhoto.waitFor()
  expect(pageErrors.filter((complaint) => complaint.startsWith('asked'))).toEqual([])

  const session = (await page.context().cookies(origin)).find(({ name }) => name === `gallery_${event.id}`)
  const guest = createClient(service.url, session?.value)
  const { body: link } = await guest.post(`/api/gallery/${event.slug}/guest/link`, {})
  const { page: other } = await guests.openBlankPage(origin, 'phone', withoutScript)
  await other.goto(atPlainHost(link.url))
  await other.getByRole('button', { name: 'Continue on this device' }).tap()
  await other.getByRole('img', { name: 'Photo 1 of 6' }).waitFor()
})

test('an invited person chooses a password, without script, and signs in', { tags: 'nightly' }, async () => {
  const { token, username } = await invite(service.admin)
  const { page, pageErrors } = await guests.openBlankPage(origin, 'phone', withoutScript)
  const choose = async (password: string, again: string) => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Repeat password').fill(again)
    await page.getByRole('button', { name: 'Save password' }).tap()
  }
  await page.goto(`${origin}/invite/${token}`)
  await page.getByText(`For the account ${username}.`).waitFor()
  await choose('chosen by myself', 'chosen by mistake')
  await page.getByText('The passwords do not match.').waitFor()
  await choose('chosen by myself', 'chosen by myself')
  await page.getByText(`You can now sign in as ${username}.`).waitFor()
  expect((await signIn(service, username, 'chosen by myself')).status).toBe(200)
  await page.goto(`${origin}/invite/${token}`)
  await page.getByText('This link is no longer valid').waitFor()
  expect(pageErrors.filter((text) => !/status of 40[04]/.test(text))).toEqual([])
})

const policies: Array<[string, TestOptions]> = [
  ['no-referrer', {}],
  ['unsafe-url', { tags: 'nightly' }],
]

for (const [policy, options] of policies)
  test(`a form of another site with the policy ${policy} does not enter a gallery`, options, async () => {
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
  })
