import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow, waitForScript, watchShifts } from '../support/browser/guest-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api } = service
const guests = await chromiumForFile()

async function eventWithPhotos(body: object = {}) {
  const event = await createEvent(api, { default_photo_sort: 'upload_date_asc', header_style: 'hero', ...body })
  const ids: number[] = []
  for (const [index, [width, height]] of formats.entries()) {
    const { body: photo } = await api.upload(event.id, await jpeg({ width, height, seed: index + 1 }))
    ids.push(photo.id)
  }
  return { event, ids }
}

const formats = [
  [900, 600],
  [600, 900],
  [900, 600],
  [600, 600],
] as const

test('a link to a photo shows that photo and links through the gallery, which offers nothing that needs script', async () => {
  const { event, ids } = await eventWithPhotos()
  const { page, pageErrors } = await guests.open(`${event.share_url}?photo=${ids[1]}`, 'phone', {
    javaScriptEnabled: false,
  })
  await expectSinglePhoto(page, 'Photo 2 of 4')

  await page.getByRole('link', { name: 'Next photo' }).click()
  await expectSinglePhoto(page, 'Photo 3 of 4')
  await page.getByRole('link', { name: 'Next photo' }).click()
  await expectSinglePhoto(page, 'Photo 4 of 4')
  expect(await page.getByRole('link', { name: 'Next photo' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Previous photo' }).click()
  await expectSinglePhoto(page, 'Photo 3 of 4')

  await page.getByRole('link', { name: 'Ana & Ben' }).click()
  await page.getByRole('heading', { name: 'Ana & Ben' }).waitFor()
  expect(await page.getByRole('link', { name: 'All', exact: true }).isVisible()).toBe(true)
  expect(await page.getByRole('link', { name: 'My picks' }).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'My picks' }).count()).toBe(0)
  expect(await page.getByRole('button').count()).toBe(0)
  await page.getByRole('img', { name: 'Photo 2 of 4' }).click()
  await expectSinglePhoto(page, 'Photo 2 of 4')
  expect(pageErrors).toEqual([])
})

test.each(isLongRun ? (['light', 'dark'] as const) : (['dark'] as const))(
  'axe finds nothing on the page of one photo, %s',
  async (colorScheme) => {
    const { event, ids } = await eventWithPhotos()
    const { page } = await guests.openBlankPage(service.url, 'phone', { colorScheme })
    // axe needs script, so the page without its own script is loaded into a browser with script.
    await page.route(`${event.share_url}?*`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/<script type="module".*?<\/script>|<\/?noscript>/g, '')
      await route.fulfill({ response: answer, body })
    })
    await page.goto(`${event.share_url}?photo=${ids[1]}`)
    await expectSinglePhoto(page, 'Photo 2 of 4')
    await expectNoAxeFindings(page)
  },
)

async function expectSinglePhoto(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.waitForLoadState('load')
  expect(await page.getByRole('heading').count()).toBe(1)
  const pictures = page.getByRole('img')
  expect(await pictures.count()).toBe(1)
  const picture = await pictures.evaluate((image: HTMLImageElement) => {
    const { left, top, right, bottom } = image.getBoundingClientRect()
    const isInSight = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight
    return { name: image.alt, isThere: image.naturalWidth > 0, isInSight }
  })
  expect(picture).toEqual({ name, isThere: true, isInSight: true })
  expect(await measureSidewaysOverflow(page)).toBe(0)
}

test('with script the same link opens the viewer, and nothing moves', { tags: 'nightly' }, async () => {
  const { event, ids } = await eventWithPhotos()
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const shifts = await watchShifts(page)
  await page.goto(`${event.share_url}?photo=${ids[1]}`)
  await waitForScript(page)
  await page.getByRole('dialog', { name: 'Photo viewer' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await shifts()).toEqual([])
  expect(asked).not.toContain('/assets/photo.css')
  expect(await page.locator('.alone').count()).toBe(0)
  expect(pageErrors).toEqual([])
})
