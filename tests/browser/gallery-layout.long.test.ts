import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { headerStyles } from '../../contract/themes.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import {
  chooseFromMenu,
  chromiumForFile,
  type Device,
  devices,
  measureSidewaysOverflow,
  waitForHistory,
  waitForScript,
  watchShifts,
} from '../support/browser/guest-page.ts'
import { doubleTextSize, listUnreachableControls } from '../support/browser/reachable-controls.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent, enterAsGuest } from '../support/fixtures/events.ts'
import { invite } from '../support/fixtures/people.ts'
import { jpeg } from '../support/media/pictures.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { createMovableClock, serviceForFile } from '../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api, admin } = service
const guests = await chromiumForFile()

const longName = 'Die Hochzeit von Maximiliane-Charlotte auf Schloss Donaudampfschifffahrtsgesellschaftskapitän'
const formats = [
  [300, 200],
  [200, 300],
  [400, 200],
  [300, 200],
  [200, 200],
  [300, 200],
  [200, 300],
  [300, 200],
] as const

async function eventWithPhotos(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, body)
  const { body: category } = await admin.post('/api/admin/categories', { name: 'Ceremony', event_id: event.id })
  const ids: number[] = []
  for (const [index, [width, height]] of formats.entries()) {
    const file = await jpeg({ width, height, seed: index + 1 })
    const fields = index < 4 ? { category_id: String(category.id) } : {}
    const answer = await api.upload(event.id, file, { name: `photo-${index + 1}.jpg`, fields })
    expect(answer.status).toBe(201)
    ids.push(answer.body.id)
  }
  return { event, ids }
}

const expiredEvent = await createEvent(api)
await changeDatabase(service, (stored) =>
  stored.prepare('update events set expires_at = ? where id = ?').run(Date.now() - 1_000, expiredEvent.id),
)
const { event, ids } = await eventWithPhotos({
  welcome_message: 'Thank you.\nHere they are.',
  event_date: '2026-06-20',
})

const give = (page: Page, photoId: number, data: object) =>
  page.request.post(`${service.url}/api/gallery/${event.slug}/photos/${photoId}/feedback`, { data })

test.each(isLongRun ? headerStyles : headerStyles.slice(0, 1))(
  'nothing moves by itself below the header style %s',
  { tags: 'nightly' },
  async (header_style) => {
    await api.patch(`/api/v1/events/${event.id}`, { header_style, theme_preset: 'linen' })
    for (const device of Object.keys(devices) as Device[]) {
      const { page, pageErrors } = await guests.openBlankPage(service.url, device)
      const shifts = await watchShifts(page)
      await page.goto(event.share_url)
      await waitForScript(page)
      await page.waitForLoadState('networkidle')
      expect(await shifts()).toEqual([])
      expect(await measureSidewaysOverflow(page)).toBe(0)
      expect(pageErrors).toEqual([])
      await page.context().close()
    }
  },
)

test('a right-to-left page with a long name does not move when its script takes over, and fits a small phone', {
  tags: 'nightly',
}, async () => {
  await api.patch(`/api/v1/events/${event.id}`, { header_style: 'minimal', event_name: longName })
  const { page } = await guests.openBlankPage(service.url, 'phone', { viewport: { width: 320, height: 568 } })
  await page.route(event.share_url, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('dir="ltr"', 'dir="rtl"') })
  })
  const shifts = await watchShifts(page)
  await page.goto(event.share_url)
  await waitForScript(page)
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(() => document.dir)).toBe('rtl')
  expect(await shifts()).toEqual([])
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await openComparison(page)
  expect(await page.locator('.compare').evaluate((element) => element.scrollWidth)).toBe(320)
})

test('on a phone there is room for photos, tools and taps, and the chosen size of photos stays', {
  tags: 'nightly',
}, async () => {
  await api.patch(`/api/v1/events/${event.id}`, { header_style: 'standard', event_name: 'Ana & Ben' })
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  const { height } = devices.phone.viewport
  const title = await page.locator('.title').boundingBox()
  const tile = await page.locator('.tile').first().boundingBox()
  expect((title?.y ?? height) + (title?.height ?? 0)).toBeLessThanOrEqual(0.62 * height)
  expect(tile?.y).toBeLessThan(0.75 * height)
  expect((await page.locator('.tools').boundingBox())?.height).toBe(56)
  for (const control of await page.locator('.tools :is(a, button):visible').all()) {
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  await page.getByRole('button', { name: 'Search', exact: true }).tap()
  await page.getByRole('searchbox').pressSequentially('photo-3')
  await page.getByRole('status').getByText('1 of 8 photos').waitFor()
  await page.getByRole('button', { name: 'Close search' }).tap()
  await page.locator('.tile').nth(7).waitFor()
  expect(new URL(page.url()).search).toBe('')

  await page.locator('.pick').first().tap()
  await page.locator('.pick.on').waitFor()
  // Only taking a pick away can be undone: a second tap takes back a given one.
  expect(await page.locator('.toast').count()).toBe(0)
  await page.locator('.pick.on').tap()
  const undo = await page.locator('.toast').getByRole('button', { name: 'Undo' }).boundingBox()
  expect(Math.min(undo?.width ?? 0, undo?.height ?? 0)).toBeGreaterThanOrEqual(44)
  expect((await page.locator('.toast').boundingBox())?.height).toBeLessThanOrEqual(48)
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap()
  await page.locator('.pick.on').waitFor()
  await page.locator('.toast').waitFor({ state: 'detached' })

  const countInFirstRow = () =>
    page.locator('.tile').evaluateAll((tiles) => {
      const tops = tiles.map((tile) => Math.round(tile.getBoundingClientRect().top))
      return tops.filter((top) => top === tops[0]).length
    })
  const large = await countInFirstRow()
  await chooseFromMenu(page, 'Small photos')
  await expect.poll(countInFirstRow).toBeGreaterThan(large)
  const small = await countInFirstRow()
  await waitForHistory(page)
  // A reload shows the chosen size before the script.
  await page.route('**/built/**', (route) => route.abort())
  await page.reload()
  expect(await countInFirstRow()).toBe(small)
})

test('filters combine in their sheet, are in the address, and one Back removes them', async () => {
  const { page } = await guests.open(event.share_url, 'desktop')
  await waitForScript(page)
  const [first = 0, second = 0] = ids
  await give(page, first, { feedback_type: 'rating', rating: 5 })
  await give(page, first, { feedback_type: 'color_label', color_label: 'red' })
  await give(page, second, { feedback_type: 'color_label', color_label: 'red' })

  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByText('Red').click()
  await sheet.getByRole('button', { name: 'Show 2 photos' }).waitFor()
  await sheet.getByRole('radio', { name: '4 stars or more' }).check({ force: true })
  await sheet.getByRole('radio', { name: 'Ceremony' }).check({ force: true })
  await sheet.getByRole('button', { name: 'Show 1 photo' }).click()
  await page.getByRole('button', { name: 'Filters, 2 active' }).waitFor()
  await page.getByRole('link', { name: 'Ceremony' }).and(page.locator('[aria-current]')).waitFor()

  const address = page.url()
  expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({ color_label: 'red', my_min_rating: '4' })
  const shifts = await watchShifts(page)
  await waitForHistory(page)
  await page.goto(address)
  await page.locator('html.scripted').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('status').filter({ hasText: 'of 8 photos' }).textContent()).toBe('1 of 8 photos')
  expect(await shifts()).toEqual([])
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.locator('.tile').nth(7).waitFor()
  await page.goBack()
  await page.getByRole('status').getByText('1 of 8 photos').waitFor()
  await page.goBack()
  await page.locator('.tile').nth(7).waitFor()
})

test('axe finds nothing in grid, filters and comparison, and compared photos zoom together', {
  tags: 'nightly',
}, async () => {
  const { page, pageErrors } = await guests.open(event.share_url, 'desktop', { colorScheme: 'dark' })
  await waitForScript(page)
  await page.locator('.pick').first().click()
  await expectNoAxeFindings(page)
  await page.locator('.filter-opener').click()
  await page.getByRole('dialog').waitFor()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')

  await openComparison(page)
  await expectNoAxeFindings(page)
  const scales = () =>
    page.locator('.compare-picture:last-child').evaluateAll((pictures) =>
      pictures.map((picture) => {
        const [, scale] = /scale\(([\d.]+)\)/.exec((picture as HTMLElement).style.transform) ?? []
        return Math.round(Number(scale) * 1000) / 1000
      }),
    )
  expect(await scales()).toEqual([1, 1])
  await page.keyboard.press('+')
  expect(await scales()).toEqual([1.5, 1.5])
  const box = await page.locator('.compare-stage').first().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 60)
  await page.mouse.wheel(0, -200)
  const [one = 0, other] = await scales()
  expect(one).toBeGreaterThan(1.5)
  expect(other).toBe(one)

  await page.keyboard.press('z')
  await page.keyboard.press('3')
  await page.locator('.compare-frame').first().getByRole('button', { name: '3 stars', pressed: true }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('group', { name: 'Photo 3 of 8, frame 1 of 2' }).waitFor()
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await page.keyboard.press('Escape')
  await page.locator('.compare').waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})

async function openComparison(page: Page): Promise<void> {
  await page
    .locator('.photo')
    .first()
    .click({ position: { x: 20, y: 20 } })
  await page.locator('.viewer').waitFor()
  await page.keyboard.press('c')
  await page.locator('.compare-picture').nth(3).waitFor()
}

async function createClosedGalleries(): Promise<Record<string, [url: string, expected: string]>> {
  const locked = await createEvent(api, { event_name: longName, require_password: true, password: 'seaside-evening' })
  const later = await createEvent(api, { reveal_at: new Date(Date.now() + 90_000_000).toISOString() })
  const empty = await createEvent(api, { event_name: longName, theme_preset: 'noir' })
  const draft = await createEvent(api, { is_draft: true })
  const open = await createEvent(api, { event_name: longName })
  const { body: link } = await (await enterAsGuest(service, open)).post(`/api/gallery/${open.slug}/guest/link`, {})
  const { token } = await invite(admin)
  return {
    'the password': [locked.share_url, 'This gallery is password-protected'],
    'what has expired': [expiredEvent.share_url, 'This gallery has expired'],
    'what comes later': [later.share_url, 'The photos will be available on'],
    'what is empty': [empty.share_url, 'The photos are coming soon'],
    'a draft': [draft.share_url, 'Check the link'],
    'what nobody knows': [`${service.url}/gallery/none/none`, 'Check the link'],
    'another device': [link.url, 'Continue here'],
    'another device, too late': [link.url.replace(/.{5}$/, 'aaaaa'), 'This link has already been used'],
    'an invitation': [`${service.url}/invite/${token}`, 'Choose a password'],
    'an invitation, too late': [`${service.url}/invite/none`, 'This link is no longer valid'],
  }
}

test('the pages of closed galleries have no axe findings and fit a small phone', { tags: 'nightly' }, async () => {
  for (const [index, [name, [url, expected]]] of Object.entries(await createClosedGalleries()).entries()) {
    const options = { viewport: { width: 320, height: 568 }, colorScheme: index % 2 ? 'dark' : 'light' } as const
    for (const isLarge of isLongRun ? [false, true] : [true]) {
      const { page } = await guests.openBlankPage(service.url, 'phone', options)
      if (isLarge) await doubleTextSize(page)
      await page.goto(url)
      expect(await page.locator('main').textContent(), name).toContain(expected)
      await expectNoAxeFindings(page)
      expect(await measureSidewaysOverflow(page), name).toBe(0)
      expect(await listUnreachableControls(page.locator('body')), name).toEqual([])
      for (const language of await page.locator('.languages a').all()) {
        expect((await language.boundingBox())?.height, name).toBeGreaterThanOrEqual(44)
      }
      await page.context().close()
    }
  }
})

test('before the reveal the page counts down, and opens the gallery at that time', async () => {
  const waitMs = 600_000
  const { event: hidden } = await eventWithPhotos({ reveal_at: new Date(clock.now() + waitMs).toISOString() })
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone')
  await page.clock.install()
  const shifts = await watchShifts(page)
  await page.goto(hidden.share_url)
  const timer = page.getByRole('timer')
  await timer.getByText('seconds').or(timer.getByText('second')).first().waitFor()
  expect(await page.locator('.reveal time').textContent()).toMatch(/at \d/)
  expect(await shifts()).toEqual([])
  clock.advance(waitMs)
  await page.clock.fastForward(waitMs)
  await waitForScript(page)
  expect(await page.locator('.tile').count()).toBe(8)
  expect(pageErrors).toEqual([])
})
