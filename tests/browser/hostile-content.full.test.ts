import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, enterAsGuest } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api } = service
const guests = await chromiumForFile()

const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>'
const reversedText = '\u202Edesrever\u2067 \u05E9\u05DC\u05D5\u05DD'
const veryLong = 'Donaudampfschiff'.repeat(12)

test('markup, reversed text and very long words show as text, on no page wider than the window', async () => {
  const event = await createEvent(api, {
    event_name: `${markup} ${reversedText} ${veryLong}`.slice(0, 200),
    welcome_message: `${markup}\n\n[a link](javascript:alert(3)) ${reversedText} ${veryLong}`,
    show_feedback_to_guests: true,
    moderate_comments: false,
    default_photo_sort: 'upload_date_asc',
  })
  const name = `${markup}${veryLong}`.slice(0, 100)
  const category = await service.admin.post('/api/admin/categories', { name, event_id: event.id })
  const ids: number[] = []
  for (let seed = 1; seed <= 5; seed++) {
    const file = `"><img src=x onerror=alert(${seed})>${reversedText}${veryLong}`.slice(0, 150)
    const fields = { category_id: category.body.id }
    const { status, body } = await api.upload(event.id, await jpeg({ seed }), { name: `${file}.jpg`, fields })
    expect([status, body]).toEqual([201, expect.anything()])
    ids.push(body.id)
  }
  const other = await enterAsGuest(service, event)
  await other.post(`/api/gallery/${event.slug}/guest`, { name: `${markup}${reversedText}`.slice(0, 100) })
  await other.post(`/api/gallery/${event.slug}/photos/${ids[0]}/feedback`, {
    feedback_type: 'comment',
    comment_text: `${markup} ${reversedText} ${veryLong}`,
  })

  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  expect(await page.locator('h1').textContent()).toContain(markup)
  expect(await page.locator('.welcome').textContent()).toContain(markup)
  expect(await page.locator('.chip', { hasText: '<img' }).count()).toBe(1)
  await expectPlainText(page)

  await page.locator(`[data-photo="${ids[0]}"]`).click()
  await page.getByRole('dialog', { name: 'Photo viewer' }).waitFor()
  await expectPlainText(page)
  await page.getByRole('button', { name: /^Comment/ }).click()
  await page.locator('dialog[open]').getByText('onerror=alert(1)').first().waitFor()
  await expectPlainText(page)
  expect(pageErrors).toEqual([])
})

async function expectPlainText(page: Page): Promise<void> {
  expect(await page.locator('img[src="x"], [onerror], a[href^="javascript:"]').count()).toBe(0)
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await expectNoAxeFindings(page)
}
