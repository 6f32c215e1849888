import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { adminAppForFile, waitUntilRendered } from '../support/browser/admin-page.ts'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()
const adminApp = await adminAppForFile(service)

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
  const names = (await listVisiblePictures(page)).map(({ name }) => name)
  expect(names).toEqual(names.map(() => expect.stringMatching(/^Photo \d+ of 400$/)))
  await page.context().setOffline(false)
  await waitUntilAll(page, { isThere: true, isSeen: true })
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
      for (let frame = 0; frame < 8; frame++) await new Promise(requestAnimationFrame)
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
  const isToCome = Promise.withResolvers<void>()
  await page.route('**/start-*.js', (route) => isToCome.promise.then(() => route.continue()))
  await page.goto(event.share_url, { waitUntil: 'commit' })
  const first = page.locator('.photo img:not(.hash)').first()
  await expect
    .poll(() => first.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth === 0))
    .toBe(true)
  isToCome.resolve()
  await waitForScript(page)
  await waitUntilAll(page, { isThere: false, isSeen: false })
  await page.unroute(pictures)
  // A picture waits for a connection only after its second address has failed too, which can be later.
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event('online')))
      return (await listVisiblePictures(page)).every(({ isThere, isSeen }) => isThere && isSeen)
    })
    .toBe(true)
})

test('an admin page that fails to load shows an error in its place, and loads on retry', async () => {
  const { page } = await adminApp.open('/')
  await page.evaluate(() => Object.assign(window, { isTheSame: true }))
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Integrations' }).click()
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
