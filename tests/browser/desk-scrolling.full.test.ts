import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { deskForFile } from '../support/desk-page.ts'
import type { TestEvent } from '../support/events.ts'
import { largeGallery } from '../support/large-gallery.ts'
import { mainThreadTasks } from '../support/main-thread-tasks.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()
const desk = await deskForFile(service)
const photoCount = 10_000

let event: TestEvent
beforeAll(async () => {
  event = await largeGallery(service, { photos: photoCount, pictures: 4, longEdgePx: 900 })
}, 60_000)

test('scrolling through 10,000 photos keeps few nodes, and no task of the page takes 100 ms of the processor', async () => {
  const { page, complaints } = await desk.open(`/events/${event.id}`)
  await page.locator('[data-photo]').first().waitFor()
  let mostNodes = 0
  const tasks = await mainThreadTasks(page, async () => {
    mostNodes = await scrollThrough(page)
  })
  expect(mostNodes).toBeLessThan(3_000)
  expect(tasks.length).toBeGreaterThan(100)
  expect(Math.max(...tasks)).toBeLessThan(100)
  expect(complaints).toEqual([])
}, 60_000)

test('photos far apart are chosen as a range, and all of them at once, in no long task', async () => {
  const { page } = await desk.open(`/events/${event.id}`)
  await page.locator('[data-photo]').first().click()
  const tasks = await mainThreadTasks(page, async () => {
    await page.keyboard.press('Control+Shift+End')
    await page.getByText('10,000 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+a')
    await page.getByText('10,000 selected').waitFor()
  })
  expect(Math.max(...tasks)).toBeLessThan(100)
  const last = page.locator(`[data-index="${photoCount - 1}"][data-photo]`)
  await last.waitFor()
  const { body } = await service.admin.get(`/api/admin/photos/${event.id}/photos?limit=1&order=desc`)
  expect(Number(await last.getAttribute('data-photo'))).toBe(body.photos[0].id)
}, 60_000)

/**
 * From the top to the end, so far with each frame that all that is drawn changes, with rests in which details come; answers
 * how many nodes there were at most.
 */
const scrollThrough = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const rest = () => new Promise((resolve) => setTimeout(resolve, 250))
    const end = document.documentElement.scrollHeight - innerHeight
    let mostNodes = 0
    for (let step = 1; scrollY < end - 1; step++) {
      scrollBy(0, innerHeight * 12)
      await frame()
      if (step % 6 === 0) await rest()
      mostNodes = Math.max(mostNodes, document.querySelectorAll('*').length)
    }
    return mostNodes
  })
