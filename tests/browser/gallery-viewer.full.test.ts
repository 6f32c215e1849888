import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import {
  chromiumForFile,
  type Device,
  measureSidewaysOverflow,
  waitForHistory,
  waitForScript,
  watchShifts,
} from '../support/browser/guest-page.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { moveFingers, swipe } from '../support/browser/touch-gestures.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { allowVideos, clip, uploadVideo, waitUntilProcessed } from '../support/media/videos.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const { api } = service
const guests = await chromiumForFile()

const total = isLongRun ? 40 : 4
let event: TestEvent
/** Photo ids in the order of the gallery. */
let ids: number[] = []

beforeAll(async () => {
  event = await createEvent(api, { default_photo_sort: 'upload_date_asc', event_name: 'Many photos' })
  const large = await api.upload(event.id, await jpeg({ width: 4000, height: 3000 }), { name: 'large.jpg' })
  ids = [large.body.id, ...(await uploadPhotos(api, event.id, total - 1))]
})

async function open(device: Device, { path = '' } = {}) {
  const { page, pageErrors } = await guests.open(event.share_url + path, device)
  await waitForScript(page)
  const asked: string[] = []
  page.on('request', (request: Request) => asked.push(request.url()))
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
  const button = (name: string | RegExp) => viewer.getByRole('button', { name, exact: true })
  return { page, pageErrors, asked, viewer, button }
}

const tile = (page: Page, id: number | undefined) => page.locator(`[data-photo="${id}"]`)
const waitForPosition = (page: Page, number: number, of = total) => page.getByText(`${number} / ${of}`).waitFor()
const originals = (asked: string[]) => asked.filter((url) => /\/photo\/\d+$/.test(url))
const waitForFocus = (page: Page, id: number | undefined) => expect.poll(() => hasFocus(tile(page, id))).toBe(true)

async function loadMarks(page: Page): Promise<Array<Record<string, unknown>>> {
  const response = await page.request.get(`${service.url}/api/gallery/${event.slug}/my-feedback`)
  return (await response.json()).feedback
}

/** Waits until a rendition, and not only the thumbnail, is shown. */
const waitForRendition = (page: Page) =>
  page.waitForFunction(() =>
    [
      ...document.querySelectorAll<HTMLImageElement>(
        '.pswp__item[aria-hidden="false"] img:not(.pswp__img--placeholder)',
      ),
    ].some((image) => image.complete && image.naturalWidth > 0 && /[?&]w=\d/.test(image.currentSrc)),
  )

/** Returns the displayed width of the current photo in CSS pixels. */
const getDisplayedWidth = (page: Page) =>
  page.evaluate(() => {
    const images = document.querySelectorAll('.pswp__item[aria-hidden="false"] img:not(.pswp__img--placeholder)')
    return Math.round(images[0]?.getBoundingClientRect().width ?? 0)
  })

test('by touch: a tap opens a photo, a swipe moves on, marks reach the service, a swipe down closes', async () => {
  const { page, pageErrors, asked, viewer, button } = await open('phone')
  await tile(page, ids[0]).tap()
  await waitForPosition(page, 1)
  expect(page.url()).toContain(`?photo=${ids[0]}`)
  await waitForRendition(page)
  expect(originals(asked)).toEqual([])

  await button('Pick').tap()
  await button(/^Rating/).tap()
  await button('4 stars').tap()
  await button(/^Color label/).tap()
  await button('Green').tap()
  const given = { photo_id: ids[0], is_favorited: true, my_rating: 4, my_color_label: 'green' }
  await expect.poll(() => loadMarks(page)).toMatchObject([given])
  expect(await button('Green').getAttribute('aria-pressed')).toBe('true')
  await expectNoAxeFindings(page)

  await swipe(page, { x: 340, y: 420 }, { x: 60, y: 420 })
  await waitForPosition(page, 2)
  await swipe(page, { x: 60, y: 420 }, { x: 340, y: 420 })
  await waitForPosition(page, 1)
  // A swipe that starts while the photo still moves does not close the viewer, so the swipe is repeated.
  await expect
    .poll(async () => {
      await swipe(page, { x: 200, y: 300 }, { x: 200, y: 640 })
      await viewer.waitFor({ state: 'detached', timeout: 600 }).catch(() => undefined)
      return viewer.count()
    })
    .toBe(0)
  await waitForFocus(page, ids[0])
  await page.waitForURL(event.share_url)
  expect(pageErrors).toEqual([])
})

test('two fingers and a double tap zoom, and only then the full-size photo loads; in landscape nothing overflows', {
  tags: 'nightly',
}, async () => {
  const { page, asked, button, pageErrors } = await open('phone')
  await tile(page, ids[0]).tap()
  await waitForRendition(page)
  const fitted = await getDisplayedWidth(page)
  expect(fitted).toBe(390)
  const fingers = (...places: number[]) => places.map((x) => ({ x, y: 420 }))
  await moveFingers(page, fingers(180, 210), fingers(20, 370))
  await expect.poll(() => getDisplayedWidth(page)).toBeGreaterThan(3 * fitted)
  await expect.poll(() => originals(asked).length).toBe(1)
  // On a busy machine, two taps may be too far apart for a double tap.
  await vi.waitFor(async () => {
    await Promise.all([page.touchscreen.tap(200, 420), page.touchscreen.tap(200, 420)])
    await expect.poll(() => getDisplayedWidth(page), { timeout: 3_000 }).toBe(fitted)
  }, 60_000)
  await page.setViewportSize({ width: 844, height: 390 })
  await button('5 stars').tap()
  await expectNoAxeFindings(page)
  expect(await measureSidewaysOverflow(page)).toBe(0)
  expect(pageErrors).toEqual([])
})

test('keys move through the photos and mark them, and the focus returns to the tile of the last photo', {
  tags: 'nightly',
}, async () => {
  const { page, pageErrors, asked, viewer, button } = await open('desktop')
  await tile(page, ids[0]).focus()
  await page.keyboard.press('6')
  await page.keyboard.press('Enter')
  await waitForPosition(page, 1)
  await waitForRendition(page)
  await page.keyboard.press('5')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('p')
  await page.keyboard.press('8')
  await expect
    .poll(() => loadMarks(page))
    .toMatchObject([
      { photo_id: ids[0], my_rating: 5, my_color_label: 'red' },
      { photo_id: ids[1], is_favorited: true, my_color_label: 'green' },
    ])
  await page.keyboard.press('ArrowLeft')
  await waitForPosition(page, 1)
  expect(originals(asked)).toEqual([])
  await page.keyboard.press('z')
  await expect.poll(() => originals(asked).length).toBe(1)
  expect(await getDisplayedWidth(page)).toBe(4000)
  await expectNoAxeFindings(page)

  await page.keyboard.press('End')
  await waitForPosition(page, total)
  expect(await button('Next photo').getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  await waitForFocus(page, ids.at(-1))
  const box = await tile(page, ids.at(-1)).boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800)
  expect(pageErrors).toEqual([])
})

test('Tab stays in the viewer, Space plays, keys are off under a dialog, and Back closes it', {
  tags: 'nightly',
}, async () => {
  const { page, viewer, button } = await open('desktop')
  await tile(page, ids[1]).click()
  await waitForPosition(page, 2)
  // Because of the request for reduced motion.
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const isInside = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest('.pswp, .notices') !== null,
    )
    expect(isInside).toBe(true)
  }
  await viewer.focus()
  await page.keyboard.press(' ')
  await button('Pause slideshow').waitFor()
  await page.keyboard.press(' ')
  await button('Play slideshow').waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await waitForPosition(page, 2)
  await waitForHistory(page)
  await page.goBack()
  await viewer.waitFor({ state: 'detached' })
  await waitForFocus(page, ids[1])
})

test('by its address a photo opens at once, alone if the filter excludes it; a missing one is reported', {
  tags: 'nightly',
}, async () => {
  const { page, pageErrors, viewer, button } = await open('desktop', { path: `?photo=${ids[3]}` })
  await waitForPosition(page, 4)
  await button('Close').click()
  await viewer.waitFor({ state: 'detached' })
  await page.waitForURL(event.share_url)
  await page.goto(`${event.share_url}?search=large&photo=${ids[4]}`)
  await waitForPosition(page, 1, 1)
  await viewer.getByText('photo-4.jpg').first().waitFor()
  await page.goto(`${event.share_url}?photo=999999`)
  await page.getByText("This photo isn't available.").waitFor()
  expect(await viewer.count()).toBe(0)
  expect(page.url()).toBe(event.share_url)
  expect(pageErrors.filter((text) => !/status of 404/.test(text))).toEqual([])
})

test('a video shows an icon and its length, also without script, loads in parts, and stops when it is swiped away', {
  tags: 'nightly',
}, async () => {
  await allowVideos(service)
  const films = await createEvent(api, { default_photo_sort: 'upload_date_asc' })
  const film = await uploadVideo(service.admin, films.id, await clip('clip.webm'), { name: 'dance.webm' })
  await uploadPhotos(api, films.id, 1)
  await waitUntilProcessed(api, films.id, film)
  const plain = await guests.open(films.share_url, 'phone', { javaScriptEnabled: false })
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone')
  const shifts = await watchShifts(page)
  const pieces: Array<string | null> = []
  page.on('request', async (request) => {
    if (request.url().endsWith(`/photo/${film}`)) pieces.push(await request.headerValue('range'))
  })
  await page.goto(films.share_url)
  await waitForScript(page, true)
  await page.waitForLoadState('networkidle')
  const marks: unknown[] = []
  for (const shown of [plain.page, page]) {
    await shown.getByRole('link', { name: 'Video 1 of 2', exact: true }).waitFor()
    const mark = shown.locator('.length')
    await mark.scrollIntoViewIfNeeded()
    expect(await mark.textContent()).toMatch(/^0:0\d$/)
    // No picture covers the icon.
    expect(await mark.evaluate(isOnTop)).toBe(true)
    marks.push(await mark.evaluate(describeMark))
  }
  expect(marks[1]).toEqual(marks[0])
  expect(await shifts()).toEqual([])

  await tile(page, film).tap()
  const video = page.locator('.pswp video')
  await video.waitFor()
  await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true
    element.loop = true
    await element.play()
  })
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.1)
  expect(pieces[0]).toMatch(/^bytes=0-/)
  await expectNoAxeFindings(page)
  await swipe(page, { x: 340, y: 300 }, { x: 60, y: 300 })
  await waitForPosition(page, 2, 2)
  expect(await video.evaluate((element: HTMLVideoElement) => element.paused)).toBe(true)
  expect([pageErrors, plain.pageErrors]).toEqual([[], []])
})

function isOnTop(mark: Element): boolean {
  const { left, top, width, height } = mark.getBoundingClientRect()
  ;(mark as HTMLElement).style.pointerEvents = 'auto'
  return document.elementFromPoint(left + width / 2, top + height / 2) === mark
}

function describeMark(mark: Element): unknown {
  mark.removeAttribute('style')
  const box = mark.getBoundingClientRect()
  const tile = mark.closest('.tile')?.getBoundingClientRect()
  const fromTile = [box.left - (tile?.left ?? 0), box.top - (tile?.top ?? 0)]
  return { html: mark.outerHTML, places: [...fromTile, box.width, box.height].map(Math.round) }
}
