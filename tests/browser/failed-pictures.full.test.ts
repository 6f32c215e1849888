import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import type { TestEvent } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const guests = await chromiumForFile()

let event: TestEvent
beforeAll(async () => {
  event = await createLargeGallery(service, { photos: 400, pictures: 4, longEdgePx: 900 })
})

type PictureState = { name: string; isThere: boolean; isSeen: boolean }

const listVisiblePictures = (page: Page): Promise<PictureState[]> =>
  page.locator('.photo img:not(.hash)').evaluateAll((images) =>
    images.flatMap((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      if (!(image instanceof HTMLImageElement) || bottom < 0 || top > innerHeight) return []
      const isThere = image.complete && image.naturalWidth > 0
      return [{ name: image.alt, isThere, isSeen: getComputedStyle(image).opacity !== '0' }]
    }),
  )
const waitUntilAll = (page: Page, wanted: Partial<PictureState>) =>
  expect
    .poll(async () => {
      const pictures = await listVisiblePictures(page)
      return (
        pictures.length > 3 &&
        pictures.every((one) => Object.entries(wanted).every(([key, is]) => is === one[key as keyof PictureState]))
      )
    })
    .toBe(true)

const pictures = /\/(thumbnail|photo)\/\d+/

async function openScrolled() {
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(20_000)
  return page
}
const scrollTo = (page: Page, top: number) => page.evaluate((to) => window.scrollTo(0, to), top)

test('pictures that failed offline show their placeholders, and load after reconnecting', async () => {
  const page = await openScrolled()
  await page.context().setOffline(true)
  await scrollTo(page, 9_000)
  await waitUntilAll(page, { isThere: false, isSeen: false })
  expect((await listVisiblePictures(page)).map(({ name }) => name)).toEqual(
    (await listVisiblePictures(page)).map(() => expect.stringMatching(/^Photo \d+ of 400$/)),
  )
  await page.context().setOffline(false)
  await waitUntilAll(page, { isThere: true, isSeen: true })
  const sources = await page
    .locator('.photo img:not(.hash)')
    .evaluateAll((images) => images.map((image) => image.getAttribute('srcset')))
  expect(sources.every((source) => source)).toBe(true)
})

test('pictures that failed load when scrolled to again, after a few requests at most', async () => {
  const page = await openScrolled()
  const asked: string[] = []
  await page.route(pictures, (route) => {
    asked.push(new URL(route.request().url()).pathname)
    return route.abort()
  })
  await scrollTo(page, 9_000)
  await waitUntilAll(page, { isThere: false, isSeen: false })
  const id = await page.evaluate(() => {
    const middle = document.elementFromPoint(innerWidth / 3, innerHeight / 2)?.closest('a')
    return middle?.dataset.photo ?? ''
  })
  const timesAsked = () => asked.filter((path) => path.endsWith(`/thumbnail/${id}`)).length
  // An IntersectionObserver reports elements that enter the window only with a later frame.
  const rest = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame)
      // Only a delay shows that the picture is not requested again.
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
  // Scrolls so little that the tile stays in the document.
  const comeBack = async () => {
    await scrollTo(page, 9_900)
    await rest()
    await scrollTo(page, 9_000)
    await rest()
  }
  for (const times of [1, 2, 3, 4, 4, 4]) {
    await expect.poll(timesAsked).toBe(times)
    await comeBack()
  }
  expect(timesAsked()).toBe(4)

  await page.unroute(pictures)
  await scrollTo(page, 0)
  await rest()
  await scrollTo(page, 9_000)
  await waitUntilAll(page, { isThere: true, isSeen: true })
})

test('pictures of the first rows that failed before the script load too', async () => {
  const { page } = await guests.openBlankPage(service.url, 'desktop')
  await page.route(pictures, (route) => route.abort())
  let letCome = () => {}
  const isToCome = new Promise<void>((resolve) => {
    letCome = resolve
  })
  await page.route('**/start-*.js', async (route) => {
    await isToCome
    await route.continue()
  })
  await page.goto(event.share_url, { waitUntil: 'commit' })
  const first = page.locator('.photo img:not(.hash)').first()
  await expect
    .poll(() => first.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth === 0))
    .toBe(true)
  letCome()
  await waitForScript(page)
  await waitUntilAll(page, { isThere: false, isSeen: false })
  await page.unroute(pictures)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await waitUntilAll(page, { isThere: true, isSeen: true })
})
