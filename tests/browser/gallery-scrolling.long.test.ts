import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { galleryScrolling, scrollThrough } from '../../tools/scroll-through.ts'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { recordNetwork } from '../support/browser/network-requests.ts'
import type { TestClient } from '../support/clients/test-client.ts'
import { enterAsGuest, type TestEvent } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()
const photoCount = 10_000

let event: TestEvent
let client: TestClient
beforeAll(async () => {
  event = await createLargeGallery(service, { photos: photoCount, pictures: 4, longEdgePx: 900 })
  client = await enterAsGuest(service, event)
})

test(`scrolling through ${photoCount} photos keeps few nodes and loads no original`, async () => {
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'desktop')
  const carried = await recordNetwork(page)
  await page.goto(event.share_url)
  await waitForAllPhotos(page)
  expect(await scrollThrough(page, galleryScrolling)).toBeLessThan(2_000)
  expect(carried.filter(({ path }) => isOriginal(path))).toEqual([])
  expect(pageErrors).toEqual([])
})

test('far down the list the photos of that position are shown, and Back returns there', async () => {
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForAllPhotos(page)
  const measureBar = () =>
    page.locator('.name-bar').evaluate((bar) => ({
      opacity: getComputedStyle(bar).opacity,
      top: Math.round(bar.getBoundingClientRect().top),
      gap: Math.round(
        (document.getElementById('tools')?.getBoundingClientRect().top ?? 0) - bar.getBoundingClientRect().bottom,
      ),
    }))
  expect((await measureBar()).opacity).toBe('0')
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight * 0.6))
  await expect.poll(measureBar).toEqual({ opacity: '1', top: 0, gap: 0 })
  expect(await page.locator('.name-bar').textContent()).toContain(photoCount.toLocaleString('en'))
  const before = await listVisiblePhotos(page)
  const [{ place = 0 } = {}] = before
  expect(place).toBeGreaterThan(photoCount / 2)
  const { body } = await client.get(`/api/gallery/${event.slug}/photos?limit=100&page=${Math.ceil(place / 100)}`)
  const { body: next } = await client.get(
    `/api/gallery/${event.slug}/photos?limit=100&page=${Math.ceil(place / 100) + 1}`,
  )
  const listed = [...body.photos, ...next.photos].map(({ id }: { id: number }) => id)
  const start = (place - 1) % 100
  expect(before.map(({ id }) => id)).toEqual(listed.slice(start, start + before.length))

  const scrolledTo = await page.evaluate(() => scrollY)
  await page.goto(`${service.url}/api/gallery/${event.slug}/photo/${before[0]?.id}?w=640`)
  await page.goBack()
  await waitForAllPhotos(page)
  expect(await page.evaluate(() => scrollY)).toBe(scrolledTo)
  expect(await listVisiblePhotos(page)).toEqual(before)
})

const waitForAllPhotos = async (page: Page) => {
  await waitForScript(page)
  await page.locator(`[aria-setsize="${photoCount}"]`).first().waitFor()
  await page.waitForFunction(() => document.documentElement.scrollHeight > 100_000)
}

/** Returns the visible photos. Waits for at least one, because the grid renders new tiles after the scroll event. */
async function listVisiblePhotos(page: Page): Promise<Array<{ id: number; place: number }>> {
  const handle = await page.waitForFunction(() => {
    const inSight = [...document.querySelectorAll<HTMLElement>('.tile')].flatMap((tile) => {
      const { top, bottom } = tile.getBoundingClientRect()
      const id = Number(tile.querySelector<HTMLElement>('[data-photo]')?.dataset.photo)
      return bottom > 0 && top < innerHeight ? [{ id, place: Number(tile.ariaPosInSet) }] : []
    })
    return inSight.length > 0 && inSight
  })
  return (await handle.jsonValue()) || []
}

/** Returns whether the path requests an original: a photo without a width, or a download. */
const isOriginal = (path: string): boolean => /^\/api\/gallery\/[^/]+\/(photo\/\d+$|download)/.test(path)
