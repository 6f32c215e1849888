import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { samplePicture } from '../../../tools/sample-pictures.ts'
import { firstAdmin, signInBrowser, waitUntilRendered } from '../../support/browser/admin-page.ts'
import { compareWithReference, type Variant } from '../../support/browser/compare-looks.ts'
import { chromiumForFile, type Device, waitForScript } from '../../support/browser/guest-page.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { requireOrSkip } from '../../support/run/requirements.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

/*
 * Screenshots of 20 pages on a phone and a desktop, light and dark, compared with the pictures beside this file. The
 * Chromium from npm draws them, with the fonts that it contains; another one has other fonts (CHROMIUM_PATH).
 * `npm run looks` renews the pictures. Look at them before you commit them.
 */

/** The time of the service and of the browser. It is in the future, so that the browser accepts all cookies. */
const now = new Date('2030-06-24T10:00:00Z')

const service = await serviceForFile({ edges: { clock: { now: () => now.getTime() } } })
const browser = await chromiumForFile()
beforeEach(({ skip }) => requireOrSkip(skip, [chromiumFromNpm]))
const { api, admin } = service

const chromiumFromNpm = {
  name: 'the Chromium from npm',
  isMet: () => !process.env.CHROMIUM_PATH && process.platform === 'linux',
  remedy: 'Run the tests on Linux on x64 without CHROMIUM_PATH.',
}

let event: TestEvent
let picked: TestEvent
let minimal: TestEvent
let locked: TestEvent
let closed: TestEvent
let empty: TestEvent

beforeAll(async () => {
  const date = { event_date: '2030-06-20', default_photo_sort: 'upload_date_asc' }
  const addEvent = (body: Record<string, unknown>) => createEvent(api, { ...date, ...body })
  empty = await addEvent({ event_name: 'Lindholm', is_draft: true })
  locked = await addEvent({ event_name: 'Clara & Theo', require_password: true, password: 'seaside-evening' })
  closed = await addEvent({ event_name: 'Summer party', color_theme: 'coast' })
  minimal = await addEvent({ event_name: 'Portfolio', header_style: 'minimal', color_theme: 'slate' })
  const welcome_message = 'Thank you for celebrating with us.\nHere are our favorite moments of the day.'
  event = await addEvent({ event_name: 'Ana & Ben', header_style: 'hero', welcome_message })
  picked = await addEvent({ event_name: 'Spring walk', color_theme: 'meadow', header_style: 'standard' })
  await upload(locked, [3, 4])
  await upload(picked, [10, 4, 8, 2, 5, 6, 9])
  await upload(closed, [9, 10])
  await upload(minimal, [11, 5, 7, 1, 8, 2])
  const photos = await upload(event, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  for (const [name, picks, text] of [
    ['Ana', [0, 1, 3, 4], 'This one for the album, please.'],
    ['Ben', [1, 4, 5], 'Could the sky be a little lighter?'],
  ] as const) {
    const guest = await enterAsGuest(service, event)
    await guest.post(`/api/gallery/${event.slug}/guest`, { name })
    const give = (index: number, body: object) =>
      guest.post(`/api/gallery/${event.slug}/photos/${photos[index]}/feedback`, body)
    for (const index of picks) await give(index, { feedback_type: 'favorite', set: true })
    await give(picks[0], { feedback_type: 'rating', rating: 5 })
    await give(picks[1], { feedback_type: 'color_label', color_label: 'green' })
    await give(picks[0], { feedback_type: 'comment', comment_text: text })
  }
  // Measures the cover. Guests do not wait for it, so without this view the first picture would differ.
  await fetch(`${event.share_url}?as=operator`, { headers: { cookie: `admin_token=${admin.token}` } })
  await admin.post(`/api/admin/events/${closed.id}/close`, {})
  const hook = { name: 'Album printer', url: 'https://receiver.example/hook', events: ['photo.uploaded'] }
  await admin.post('/api/admin/webhooks', hook)
}, 400_000)

type LookedPage = {
  name: string
  /** A path below `/admin`, opened by a signed-in operator. */
  admin?: () => string
  guest?: () => string
  act?: (page: Page) => Promise<unknown>
  /** Parts that differ in each run, such as tokens. */
  hide?: string
}

const photosPath = () => `/events/${event.id}`
const openViewer = async (page: Page) => {
  await waitForScript(page)
  await page.locator('[data-photo]').first().click()
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
  await viewer.and(page.locator('.pswp--open')).waitFor()
  await page.waitForFunction(() => {
    const background = document.querySelector('.pswp__bg')
    const isOpen = background !== null && Number(getComputedStyle(background).opacity) > 0.99
    return isOpen && document.querySelector('.pswp--ui-visible') !== null
  })
}

/** The admin app comes first, because it shows the visits of guests. */
const pages: LookedPage[] = [
  { name: 'admin-sign-in', guest: () => `${service.url}/admin/login` },
  {
    name: 'admin-overview',
    admin: () => '/',
    // The parts of the page make separate requests.
    act: async (page) => {
      await page.getByText('Proofroom has never made a backup').waitFor()
      await page.getByRole('heading', { name: 'Recent galleries' }).waitFor()
    },
  },
  { name: 'admin-events', admin: () => '/events' },
  { name: 'admin-new-event', admin: () => '/events/new' },
  { name: 'admin-photos', admin: photosPath },
  { name: 'admin-empty-event', admin: () => `/events/${empty.id}` },
  { name: 'admin-picks', admin: () => `${photosPath()}/picks` },
  { name: 'admin-comments', admin: () => `${photosPath()}/comments` },
  { name: 'admin-share', admin: () => `${photosPath()}/share`, hide: '.qr-code, input' },
  { name: 'admin-event-settings', admin: () => `${photosPath()}/edit` },
  { name: 'admin-webhooks', admin: () => '/webhooks' },
  { name: 'gallery', guest: () => event.share_url, act: (page) => waitForScript(page) },
  { name: 'gallery-grid', guest: () => event.share_url, act: scrollToPhotos },
  { name: 'gallery-minimal', guest: () => minimal.share_url, act: (page) => waitForScript(page, true) },
  { name: 'gallery-viewer', guest: () => event.share_url, act: openViewer },
  { name: 'gallery-filters', guest: () => event.share_url, act: (page) => openFilters(page) },
  { name: 'gallery-send', guest: () => picked.share_url, act: openSend },
  { name: 'gallery-password', guest: () => new URL('.', locked.share_url).href.replace(/\/$/, '') },
  { name: 'gallery-closed', guest: () => closed.share_url },
  { name: 'gallery-missing', guest: () => `${service.url}/gallery/wedding-of-nobody` },
]

const variants: Array<{ name: string; device: Device; options: BrowserContextOptions; widthPx: number }> = [
  { name: 'phone', device: 'phone', options: { colorScheme: 'light', deviceScaleFactor: 1 }, widthPx: 260 },
  { name: 'phone, dark', device: 'phone', options: { colorScheme: 'dark', deviceScaleFactor: 1 }, widthPx: 260 },
  { name: 'desktop', device: 'desktop', options: { colorScheme: 'light' }, widthPx: 640 },
  { name: 'desktop, dark', device: 'desktop', options: { colorScheme: 'dark' }, widthPx: 640 },
]

test.each(pages)('$name looks as before', async (looked) => {
  const taken: Variant[] = []
  for (const { name, device, options, widthPx } of variants) {
    taken.push({ name, widthPx, screenshot: await takeScreenshot(looked, device, options) })
  }
  expect(await compareWithReference(looked.name, taken)).toEqual([])
})

async function takeScreenshot(looked: LookedPage, device: Device, options: BrowserContextOptions): Promise<Buffer> {
  const { page } = await browser.openBlankPage(service.url, device, { ...options, timezoneId: 'UTC' })
  await page.clock.setFixedTime(now)
  if (looked.admin) {
    await signInBrowser(service, page, firstAdmin)
    await page.goto(`${service.url}/admin${looked.admin()}`)
    await waitUntilRendered(page)
  } else {
    await page.goto(looked.guest?.() ?? '')
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  }
  await looked.act?.(page)
  await page.waitForFunction(isSettled)
  await page.evaluate(showDecoded)
  // The Content-Security-Policy of the page allows no other style.
  for (const part of looked.hide ? await page.locator(looked.hide).all() : []) {
    await part.evaluate((element: HTMLElement | SVGElement) => element.style.setProperty('visibility', 'hidden'))
  }
  return page.screenshot({ animations: 'disabled' })
}

const drawn = new Map<number, ReturnType<typeof samplePicture>>()

function drawPicture(index: number): ReturnType<typeof samplePicture> {
  const picture = drawn.get(index) ?? samplePicture(index, { longEdgePx: 900 })
  drawn.set(index, picture)
  return picture
}

/** Runs in the page. Returns whether the window shows no placeholder, no text about loading and no animation. */
function isSettled(): boolean {
  const isInWindow = (element: Element) => {
    const { top, bottom, width } = element.getBoundingClientRect()
    return width > 0 && bottom > 0 && top < innerHeight
  }
  const pictures = [...document.images].filter(isInWindow)
  const tiles = [...document.querySelectorAll('.tile .photo')].filter(isInWindow)
  return (
    document.querySelector('.waiting') === null &&
    pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0) &&
    tiles.every((tile) => tile.querySelector('img:not(.hash)') !== null) &&
    document.getAnimations().every(({ playState }) => playState !== 'running')
  )
}

/** Runs in the page. A complete picture can still be undecoded, and is then painted one frame later. */
async function showDecoded(): Promise<void> {
  await Promise.allSettled([...document.images].filter(({ complete }) => complete).map((image) => image.decode()))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}

async function upload({ id }: TestEvent, indexes: number[]): Promise<number[]> {
  const ids: number[] = []
  for (const index of indexes) {
    const { filename, bytes } = await drawPicture(index)
    const { status, body } = await api.upload(id, new Uint8Array(bytes), { name: filename })
    expect(status).toBe(201)
    ids.push(body.id)
  }
  return ids
}

async function scrollToPhotos(page: Page): Promise<void> {
  await waitForScript(page)
  await page.locator('#grid').evaluate(
    (grid) =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true })
        grid.scrollIntoView()
      }),
  )
  // The bar is smaller while the page moves.
  await page.locator('html:not(.scrolling)').waitFor()
}

async function openFilters(page: Page): Promise<void> {
  await waitForScript(page)
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.locator('dialog[open]').waitFor()
}

async function openSend(page: Page): Promise<void> {
  await waitForScript(page)
  for (const index of [0, 1, 2])
    await page
      .getByRole('button', { name: /^Pick Photo/ })
      .nth(index)
      .click()
  await page.locator('.toast').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send to photographer' }).click()
  await page.locator('dialog[open]').waitFor()
}
