import { expect, test } from 'vitest'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const { api } = await serviceForFile()
const guests = await chromiumForFile()

type ShareSheet = { shared: string[]; opens: boolean }

test('the share sheet of a phone, or the download instead, has the right file name and type', async () => {
  const event = await createEvent(api)
  await api.upload(event.id, await jpeg(), { name: 'Zoë.html' })
  const { page, pageErrors } = await guests.openBlankPage(new URL(event.share_url).origin, 'phone')
  // This Chromium has no share sheet, so a fake one records what it gets.
  await page.addInitScript(() => {
    const sheet: ShareSheet = { shared: [], opens: true }
    const share = async ({ files = [] }: ShareData) => {
      if (!sheet.opens) throw new DOMException('', 'NotAllowedError')
      sheet.shared.push(...files.map(({ name, type }) => `${name} ${type}`))
    }
    Object.assign(window, { sheet })
    Object.assign(Navigator.prototype, { canShare: () => true, share })
  })
  await page.goto(event.share_url)
  await waitForScript(page, true)
  await page.getByRole('img', { name: 'Photo 1 of 1' }).tap()
  const save = page.getByRole('link', { name: 'Save photo' })
  await save.tap()
  const shared = () => page.evaluate(() => (window as unknown as { sheet: ShareSheet }).sheet.shared)
  await expect.poll(shared).toEqual(['Zoë.jpg image/jpeg'])

  await page.evaluate(() => {
    ;(window as unknown as { sheet: ShareSheet }).sheet.opens = false
  })
  const [download] = await Promise.all([page.waitForEvent('download'), save.tap()])
  expect(download.suggestedFilename()).toBe('Zoë.jpg')
  expect(pageErrors).toEqual([])
})

test('on a desktop a photo is downloaded under the right file name', async () => {
  const event = await createEvent(api)
  await api.upload(event.id, await jpeg(), { name: 'invoice.html' })
  const { page, pageErrors } = await guests.open(event.share_url, 'desktop')
  await waitForScript(page, true)
  await page.getByRole('img', { name: 'Photo 1 of 1' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save photo' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('invoice.jpg')
  expect(pageErrors).toEqual([])
})
