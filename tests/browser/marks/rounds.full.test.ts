import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../../support/browser/axe.ts'
import { chromiumForFile, waitForHistory, waitForScript } from '../../support/browser/guest-page.ts'
import { sendNow } from '../../support/browser/send-now.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const guests = await chromiumForFile()

const photoCount = 26
const album = {
  purpose: 'Album',
  included: 20,
  minimum: 2,
  maximum: null,
  extra_text: '12 €',
  due_on: null,
  time_zone: 'Europe/Berlin',
  locks_on_submission: true,
}

const heart = (page: Page, number: number) => page.getByRole('button', { name: `Pick Photo ${number} of` })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const label = (page: Page) => page.locator('.my-picks')
const sentNote = (page: Page, text: RegExp) => page.locator('.sent-note').filter({ hasText: text })
const pressedHearts = (page: Page) => page.locator('.pick[aria-pressed=true]').count()

const setPackage = async ({ id }: TestEvent, body: object) => {
  const { status } = await admin.put(`/api/admin/events/${id}/package`, { ...album, ...body })
  expect(status).toBe(200)
}
const loadRound = async ({ id }: TestEvent) =>
  (await admin.get(`/api/admin/events/${id}/rounds?current=true`)).body.rounds[0]
const reopen = async (event: TestEvent, body: object) => {
  const { id } = await loadRound(event)
  expect((await admin.post(`/api/admin/events/${event.id}/rounds/${id}/reopen`, body)).status).toBe(200)
}
const waitForPicks = (event: TestEvent, count: number) =>
  expect.poll(async () => (await loadRound(event))?.count, { timeout: 60_000 }).toBe(count)

/** While the page moves, the bar is smaller. */
const expectAccessible = async (page: Page) => {
  await page.locator('html:not(.scrolling)').waitFor()
  await expectNoAxeFindings(page)
}

/** As when the guest comes back to the window. */
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

const send = async (page: Page, name: string) => {
  await button(page, name).tap()
  await page.getByRole('dialog').getByText('Then your picks are locked.').waitFor()
  await button(page, 'Send my picks').tap()
  await sendNow(page)
}

test('a guest picks for an album, sends, is opened again with fewer photos, cuts and sends again', async () => {
  const event = await createEvent(api, { default_photo_sort: 'upload_date_asc', allow_ratings: true })
  const ids = await uploadPhotos(api, event.id, photoCount)
  await setPackage(event, {})
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  expect(await label(page).textContent()).toBe('Album: 0 of 20')
  await page.getByText('20 included, each more 12 €, at least 2', { exact: true }).waitFor()
  await heart(page, 1).tap()
  await expect.poll(() => label(page).textContent()).toBe('Album: 1 of 20')
  await page.getByText('1 more to pick').waitFor()
  const guest = page.context().request
  for (const id of ids.slice(3, 25)) {
    const path = `${service.url}/api/gallery/${event.slug}/photos/${id}/feedback`
    expect((await guest.post(path, { data: { feedback_type: 'favorite', set: true } })).status()).toBe(200)
  }
  await waitForPicks(event, 23)
  await comeBack(page)
  await expect.poll(() => label(page).textContent()).toBe('Album: 23 · 3 extra, 12 € each')

  // A mark that is made without a connection, while the picks are sent on another device.
  await page.route('**/feedback', (route) => route.abort())
  await heart(page, 2).tap()
  await expect.poll(() => label(page).textContent()).toBe('Album: 24 · 4 extra, 12 € each')
  const sent = await guest.post(`${service.url}/api/gallery/${event.slug}/selection`, { data: {} })
  expect(await sent.json()).toMatchObject({ state: 'locked', extra_count: 3, count: 23 })
  await page.unroute('**/feedback')
  await waitForHistory(page)
  await page.reload()
  await waitForScript(page)
  const sheet = page.getByRole('dialog')
  await sheet.getByText('1 change not sent').waitFor()
  await sheet.getByText('you can keep this change').waitFor()
  await sheet.getByText('Picked', { exact: true }).waitFor()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect.poll(() => label(page).textContent()).toBe('Locked · Album: 23 · 3 extra, 12 € each')

  // Hearts stay as they are, and say why.
  await heart(page, 1).tap()
  await page.getByText('Your picks are sent and locked.').waitFor()
  expect(await heart(page, 1).getAttribute('aria-pressed')).toBe('true')
  const opacities = await page
    .locator('.pick .icon')
    .evaluateAll((icons) => icons.map((icon) => getComputedStyle(icon).opacity))
  expect(new Set(opacities)).toEqual(new Set(['0.6']))
  expect(await page.getByRole('link', { name: 'Receipt' }).getAttribute('href')).toBe(
    `/api/gallery/${event.slug}/selections/1/receipt`,
  )
  await expectAccessible(page)
  await button(page, 'I sent it too early').tap()
  await sheet.getByLabel('Message').fill('One is missing')
  await button(page, 'Ask my photographer').tap()
  await page.getByText('you asked to open it again').waitFor()
  expect((await loadRound(event)).reopening).toMatchObject({ message: 'One is missing' })

  // Opened again, with fewer photos: only the picks, and the mark that was set aside does not fit.
  await reopen(event, { message: 'The album has 15 pages.', included: 20, maximum: 15 })
  await waitForHistory(page)
  await page.reload()
  await waitForScript(page)
  await page.waitForURL(/filter=favorited/)
  await sheet.getByText('1 change does not fit').waitFor()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect.poll(() => label(page).textContent()).toBe('Album: 23, cut to 15: 8 to remove')
  await page.getByText('The album has 15 pages.').waitFor()
  expect(await page.getByRole('link', { name: 'Receipt 1' }).getAttribute('href')).toBe(
    `/api/gallery/${event.slug}/selections/1/receipt`,
  )
  await heart(page, 1).and(page.locator('[aria-label$="of 23"]')).waitFor()
  await expectAccessible(page)
  await button(page, 'Send again to photographer').tap()
  await sheet.getByText('8 photos to remove before you can send.').waitFor()
  expect(await sheet.getByText('will be sent').count()).toBe(0)
  expect(await button(page, 'Send my picks').getAttribute('aria-disabled')).toBe('true')
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  for (let number = 1; number <= 9; number++) await heart(page, number).tap()
  await expect.poll(() => label(page).textContent()).toBe('Album: 14 of 15')
  await waitForPicks(event, 14)
  await button(page, '1 change not sent').tap()
  await sheet.getByText('It was not sent because your picks were locked.').waitFor()
  await button(page, 'Keep it').tap()
  await expect.poll(() => label(page).textContent()).toBe('Album: 15 of 15')
  await waitForPicks(event, 15)
  await sheet.waitFor({ state: 'detached' })
  await heart(page, 9).tap()
  await page.getByText('15 photos are the most here: remove one first.').waitFor()
  await button(page, 'What changed').tap()
  await sheet.getByText('1 photo added').waitFor()
  await sheet.getByText('9 photos removed').waitFor()
  expect(await sheet.locator('img').count()).toBe(10)
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })
  await send(page, 'Send again to photographer')
  await sentNote(page, /^Selection 2 sent/).waitFor()
  expect(await loadRound(event)).toMatchObject({ number: 2, state: 'locked', count: 15 })
  expect(await pressedHearts(page)).toBeGreaterThan(0)
  expect(pageErrors.filter((text) => !text.includes('409') && !text.includes('ERR_FAILED'))).toEqual([])
})

test('picks that change on another device are not sent unseen', async () => {
  const event = await createEvent(api, { default_photo_sort: 'upload_date_asc' })
  const ids = await uploadPhotos(api, event.id, 6)
  await setPackage(event, { minimum: 0 })
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  await heart(page, 1).tap()
  await waitForPicks(event, 1)
  const read = page.waitForResponse('**/round')
  await button(page, 'Send to photographer').tap()
  await read
  await page.getByRole('dialog').getByText('Then your picks are locked.').waitFor()
  const path = `${service.url}/api/gallery/${event.slug}/photos/${ids[3]}/feedback`
  await page.context().request.post(path, { data: { feedback_type: 'favorite', set: true } })
  await button(page, 'Send my picks').tap()
  await sendNow(page)
  await page.getByText('Your picks have changed on another device.').waitFor()
  await expect.poll(() => label(page).textContent()).toBe('Album: 2 of 20')
  expect(await loadRound(event)).toMatchObject({ state: 'open' })
  // A change on this page after the dialog is no reason to stop.
  await send(page, 'Send to photographer')
  await sentNote(page, /^Selection 1 sent/).waitFor()
  // The open page notices that they are open again, without a reload.
  await page.clock.install()
  // The timer of the page starts again, with this clock.
  const again = page.waitForResponse('**/round')
  await comeBack(page)
  await again
  await reopen(event, { message: 'One more, please.' })
  await page.clock.runFor(60_000)
  await page.getByText('Your photographer has opened your picks again.').waitFor()
  await expect.poll(() => label(page).textContent()).toBe('Album: 2 of 20')
  await page.getByText('One more, please.').waitFor()
})
