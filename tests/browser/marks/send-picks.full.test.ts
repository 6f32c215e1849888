import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumForFile, waitForScript } from '../../support/browser/guest-page.ts'
import { sendNow } from '../../support/browser/send-now.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const guests = await chromiumForFile()

async function openWithPick(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, body)
  await uploadPhotos(api, event.id, 5)
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  await pick(page, 1)
  await page.getByRole('link', { name: '1 pick' }).waitFor()
  return { event, page, pageErrors }
}

const pick = (page: Page, number: number) => page.getByRole('button', { name: `Pick Photo ${number} of 5` }).tap()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const focusedClass = (page: Page) => page.evaluate(() => document.activeElement?.className)
const sendPicks = async (page: Page, note = '') => {
  await button(page, 'Send to photographer').tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Message').fill(note)
  await button(page, 'Send my picks').tap()
  await page.getByText('Sending 1 pick…').waitFor()
}
const loadSelections = async ({ id }: TestEvent): Promise<Array<{ count: number; note: string | null }>> =>
  (await admin.get(`/api/admin/events/${id}/selections`)).body.selections
const loadCounts = async (event: TestEvent): Promise<number[]> =>
  (await loadSelections(event)).map(({ count }) => count)
const waitUntilMarked = ({ id }: TestEvent) =>
  expect.poll(async () => (await admin.get(`/api/admin/events/${id}/guests`)).body.guests[0]?.favorite_count).toBe(1)

test('has a message, and can be undone or sent at once; a double tap is one tap, and the focus stays in the bar', {
  tags: 'nightly',
}, async () => {
  const { event, page, pageErrors } = await openWithPick()
  const dialog = page.getByRole('dialog')
  await button(page, 'Send to photographer').dblclick()
  await dialog.getByLabel('Message').fill('For the hall')
  // A machine that is slower than the countdown sends nothing either.
  await page.route('**/selection', (route) => route.abort())
  await button(page, 'Send my picks').dblclick()
  await page.locator('.send-line').waitFor()
  // A tap that is as fast as that of a test can count as the second one of a double tap.
  await expect
    .poll(async () => {
      if (await button(page, 'Undo').isVisible()) await button(page, 'Undo').tap()
      return page.locator('.send-line').count()
    })
    .toBe(0)
  await page.unroute('**/selection')
  expect(await focusedClass(page)).toBe('send-picks')
  expect(page.url(), 'the second tap').not.toContain('filter')
  await page.reload()
  await waitForScript(page)
  expect(await loadCounts(event)).toEqual([])

  // By keyboard, it is not behind all photos.
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to my picks')
  expect((await page.locator('.skip').boundingBox())?.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  expect(await focusedClass(page)).toBe('send-picks')
  await page.getByRole('link', { name: 'Photo 1 of 5' }).focus()
  await page.keyboard.press('m')
  expect(await focusedClass(page)).toBe('send-picks')

  // The message is still there.
  await button(page, 'Send to photographer').tap()
  expect(await dialog.getByLabel('Message').inputValue()).toBe('For the hall')
  await button(page, 'Send my picks').tap()
  await sendNow(page)
  expect(await loadSelections(event)).toMatchObject([{ count: 1, note: 'For the hall' }])
  await page.locator('.sent-note').waitFor()
  expect(pageErrors).toEqual([])
})

test('waits while the focus is on its line or a dialog is open, as a notice does', { tags: 'nightly' }, async () => {
  const { event, page } = await openWithPick()
  await page.clock.install()
  await pick(page, 1)
  await button(page, 'Undo').focus()
  await page.clock.runFor(20_000)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '1 pick' }).waitFor()

  await sendPicks(page)
  await button(page, 'Undo').focus()
  await page.clock.runFor(60_000)
  await button(page, 'Send now').focus()
  await button(page, 'More').tap()
  await page.getByRole('button', { name: 'Your name and email' }).tap()
  await page.getByRole('dialog').waitFor()
  await page.clock.runFor(60_000)
  expect(await loadCounts(event)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Sending 1 pick…').waitFor()
  await page.clock.runFor(10_000)
  await page.locator('.sent-note').waitFor()
  expect(await loadCounts(event)).toEqual([1])
})

test('asks for a name that the gallery began to require', { tags: 'nightly' }, async () => {
  const { event, page } = await openWithPick()
  await waitUntilMarked(event)
  await api.patch(`/api/v1/events/${event.id}`, { require_guest_name: true })
  await sendPicks(page, 'For the hall')
  await sendNow(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Enter your name.').waitFor()
  expect(await dialog.getByLabel('Message').inputValue()).toBe('For the hall')
  await dialog.getByLabel('Name', { exact: true }).fill('Ana')
  await button(page, 'Send my picks').tap()
  await sendNow(page)
  expect(await loadSelections(event)).toMatchObject([{ count: 1, note: 'For the hall' }])
})

test('sends once when the page is left during the countdown', { tags: 'nightly' }, async () => {
  const { event, page } = await openWithPick()
  await waitUntilMarked(event)
  await sendPicks(page)
  await page.goto('about:blank')
  await expect.poll(() => loadCounts(event)).toEqual([1])
  // The page has seen no response, so the next visit must find out.
  await page.goto(event.share_url)
  await waitForScript(page)
  await page.locator('.sent-note').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await loadCounts(event)).toEqual([1])
})

test('is sent once although its response is lost', { tags: 'nightly' }, async () => {
  const { event, page } = await openWithPick()
  await waitUntilMarked(event)
  await page.route(
    '**/selection',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await sendPicks(page)
  await page.getByText('Not sent yet.').waitFor()
  await page.locator('.sent-note').waitFor()
  await page.locator('.send-line').waitFor({ state: 'detached' })
  expect(await loadCounts(event)).toEqual([1])
})

test('without a connection it is kept, and sent at the next visit after its marks', async () => {
  const { event, page } = await openWithPick()
  await waitUntilMarked(event)
  await sendPicks(page)
  const context = page.context()
  await context.setOffline(true)
  await pick(page, 2)
  // Ends the countdown. A tap right after the one that began it is ignored.
  await expect
    .poll(async () => {
      await button(page, 'Send now')
        .tap({ timeout: 1_000 })
        .catch(() => undefined)
      return page.getByText('Not sent yet.').count()
    })
    .toBe(1)
  await page.close()
  expect(await loadCounts(event)).toEqual([])
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto(event.share_url)
  await next.locator('.sent-note').waitFor()
  expect(await loadCounts(event)).toEqual([2])
})

test('a message that is sent without a connection is sent later, or taken back', { tags: 'nightly' }, async () => {
  const { event, page } = await openWithPick()
  await waitUntilMarked(event)
  const isLoaded = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('submit-dialog'))
  await page.waitForFunction(isLoaded)
  await page.context().setOffline(true)
  await sendPicks(page, 'For the hall')
  await page.getByText('Not sent yet.').waitFor()
  await button(page, 'Undo').tap()

  await pick(page, 2)
  await button(page, 'Send to photographer').tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 change is still syncing and will be sent first.').waitFor()
  expect(await dialog.getByLabel('Message').inputValue()).toBe('For the hall')
  await button(page, 'Send my picks').tap()
  await page.getByText('Not sent yet.').waitFor()
  await page.context().setOffline(false)
  await page.locator('.sent-note').waitFor()
  expect(await loadSelections(event)).toMatchObject([{ count: 2, note: 'For the hall' }])
})
