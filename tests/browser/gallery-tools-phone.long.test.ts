import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { chromiumForFile, measureSidewaysOverflow, waitForScript } from '../support/browser/guest-page.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import type { TestEvent } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { admin } = service
const guests = await chromiumForFile()

let grouped: TestEvent
let plain: TestEvent

beforeAll(async () => {
  const categories: Array<{ id: number; name: string }> = (await admin.get('/api/admin/categories/global')).body
  const upload_category_id = categories.find(({ name }) => name === 'Guest uploads')?.id
  const body = { allow_user_uploads: true, upload_category_id, header_style: 'standard' }
  const photos = { pictures: 3, longEdgePx: 300 }
  grouped = await createLargeGallery(service, { ...photos, photos: 90, event: body })
  plain = await createLargeGallery(service, { ...photos, photos: 60, event: body })
  const ids: number[] = []
  for (const name of ['01 Getting ready', '02 Ceremony in the old church']) {
    ids.push((await admin.post('/api/admin/categories', { name, event_id: grouped.id })).body.id)
  }
  await changeDatabase(service, (stored) => {
    const place = stored.prepare('update photos set category_id = ? where event_id = ? and id % 3 = ?')
    for (const [index, id] of ids.entries()) place.run(id, grouped.id, index)
  })
})

/** Returns the words in the row of tools that a guest sees, each with whether it is cut. */
const listSeenWords = (page: Page) =>
  page.locator('.chips').evaluate((row) => {
    const frame = row.getBoundingClientRect()
    return [...row.querySelectorAll('bdi')].flatMap((word) => {
      const { left, right, top, bottom } = word.getBoundingClientRect()
      if (top >= frame.bottom || bottom <= frame.top || left >= frame.right) return []
      const isCut = left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom
      return [{ word: word.textContent, isCut }]
    })
  })

/** Returns by how many pixels the first heading or, without one, the first row, and the result are below the tools. */
const measureBelowTools = (page: Page) =>
  page.evaluate(() => {
    const bottomOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().bottom ?? 0
    const tools = bottomOf('tools')
    const parts = [...document.querySelectorAll('#found, #grid h2, #grid .tile')]
      .map((part) => part.getBoundingClientRect())
      .filter(({ bottom, height }) => height > 0 && bottom > tools + 1.5)
    return Math.round(Math.min(...parts.map(({ top }) => top)) - tools + 0.4)
  })

test('the tools of a phone fit one row, no word is cut, and the chosen category is named beside All', async () => {
  for (const [locale, expected] of [
    ['en', ['All', 'My picks']],
    ['de', ['Alle', 'Meine Auswahl']],
  ] as const) {
    for (const event of [plain, grouped]) {
      const { page } = await guests.open(event.share_url, 'phone', { locale })
      await waitForScript(page)
      for (const width of [430, 390, 360]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => page.locator('#tools').evaluate(({ clientHeight }) => clientHeight)).toBe(56)
        const words = await listSeenWords(page)
        expect(words.slice(0, 2).map(({ word }) => word)).toEqual(expected)
        expect(words.filter(({ isCut }) => isCut)).toEqual([])
        expect(await measureSidewaysOverflow(page)).toBe(0)
      }
      if (locale !== 'en' || event !== grouped) continue
      await page.getByRole('button', { name: 'More', exact: true }).tap()
      await page.locator('#menu').getByRole('button', { name: 'Add photos' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.filter-opener').tap()
      const sheet = page.getByRole('dialog', { name: 'Filters' })
      await sheet.getByRole('radio', { name: '02 Ceremony in the old church' }).check({ force: true })
      await sheet.getByRole('button', { name: /^Show/ }).tap()
      await sheet.waitFor({ state: 'detached' })
      const seen = (await listSeenWords(page)).filter(({ isCut }) => !isCut).map(({ word }) => word)
      expect(seen).toEqual(expect.arrayContaining(['All', '02 Ceremony in the old church']))
    }
  }
})

test('after a filter and after a change of their size, photos begin below the tools, with their number', async () => {
  const { page, pageErrors } = await guests.open(grouped.share_url, 'phone')
  await waitForScript(page)
  await page.locator('.placed').waitFor()
  for (const pick of [0, 1, 2, 3, 4]) await page.locator('.pick').nth(pick).tap()
  await page.mouse.wheel(0, 3_000)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(2_000)
  await page.getByRole('link', { name: 'My picks', exact: true }).first().tap()
  await page.getByText('5 of 90 photos').waitFor()
  await expect.poll(() => measureBelowTools(page)).toBeGreaterThanOrEqual(0)
  const found = await page.locator('#found').boundingBox()
  const tools = await page.locator('#tools').boundingBox()
  expect(found?.y).toBeGreaterThanOrEqual((tools?.y ?? 0) + (tools?.height ?? 0) - 1)

  await page.goBack()
  await page.locator('[aria-setsize="90"]').first().waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(2_000)
  await page.goto(`${grouped.share_url}?filter=commented`)
  await page.getByRole('button', { name: 'Show all photos' }).tap()
  await page.locator('[aria-setsize="90"]').first().waitFor()
  expect(new URL(page.url()).search).toBe('')
  for (const top of [700, 2_000, 4_100]) {
    await page.evaluate((y) => scrollTo(0, y), top)
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page
      .locator('#menu')
      .getByRole('button', { name: /^(Small|Large) photos$/ })
      .tap()
    await expect.poll(() => measureBelowTools(page)).toBeGreaterThanOrEqual(0)
  }
  expect(pageErrors).toEqual([])
})
