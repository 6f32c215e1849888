import { expect, test } from 'vitest'
import { adminAppForFile, waitUntilRendered } from '../support/browser/admin-page.ts'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const guests = await chromiumForFile()
const adminApp = await adminAppForFile(service)

test('an admin page that fails to load shows an error in its place, and loads on retry', async () => {
  const { page } = await adminApp.open('/')
  await page.evaluate(() => Object.assign(window, { isTheSame: true }))
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  await page.getByRole('main').getByText("The server isn't responding.").waitFor()
  await retry.click()
  await page.locator('.notice.alarm').getByText("The server isn't responding.").waitFor()
  // The page was not reloaded. A reload would stop an upload.
  expect(await page.evaluate(() => 'isTheSame' in window)).toBe(true)
  await page.context().setOffline(false)
  await retry.click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await waitUntilRendered(page)
})

test('a viewer that fails to load shows an error, and loads on a tap after reconnecting', async () => {
  const event = await createEvent(service.api)
  await uploadPhotos(service.api, event.id, 3)
  const { page } = await guests.openBlankPage(service.url, 'phone')
  await page.route('**/viewer-*.js', (route) => route.abort())
  await page.goto(event.share_url)
  await waitForScript(page, true)
  const tile = page.locator('.photo').first()
  await tile.tap()
  await page.getByText("This part couldn't be loaded.").waitFor()
  expect(await page.locator('.viewer').count()).toBe(0)
  await page.unroute('**/viewer-*.js')
  // The page reloads with the photo in its address.
  await tile.tap()
  await page.locator('.pswp--ui-visible').waitFor()
})

test('comments that cannot be loaded without a connection open at the first tap after reconnecting', async () => {
  const event = await createEvent(service.api)
  await uploadPhotos(service.api, event.id, 1)
  const { page } = await guests.openBlankPage(service.url, 'phone')
  // The page does not load them before the connection is lost.
  await page.route('**/health/live', (route) => route.abort())
  await page.goto(event.share_url)
  await waitForScript(page, true)
  await page.locator('.photo').tap()
  const comment = page.getByRole('button', { name: /^Comment/ })
  await comment.waitFor()
  await page.context().setOffline(true)
  await comment.tap()
  await page.getByText('No connection. Nothing is lost').waitFor()
  await page.context().setOffline(false)
  await page.unroute('**/health/live')
  await comment.tap()
  await page.getByRole('dialog').getByText('No comments yet.').waitFor()
})
