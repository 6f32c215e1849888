/** Measures the longest main-thread task on a page with 10,000 photos, while scrolling and while selecting all. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../tools/chromium.ts'
import { adminScrolling, galleryScrolling, scrollThrough } from '../tools/scroll-through.ts'
import { type Figure, formatValue, printTable } from './support/figures.ts'
import { addPhotos, type Gallery, makeApiToken, makeGallery } from './support/gallery.ts'
import { copyPhotosWithPictures } from './support/gallery-copies.ts'
import { mainThreadTasks } from './support/main-thread-tasks.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { adminPassword, startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'

const photoCount = 10_000
const target = { bound: 'at most', value: 100 } as const

type Action = { name: string; open: (page: Page) => Promise<void>; act: (page: Page) => Promise<unknown> }

/** Each sample is the longest task on a newly opened page, in milliseconds of processor time. */
export async function measureScrolling(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'scrolling')
  const gallery = await makeLargeGallery(plan, dataDir)
  const service = await startService(dataDir)
  const browser = await launchChromium()
  const rows = [['longest task of the page', 'median', 'each']]
  const figures: Figure[] = []
  try {
    for (const { name, open, act } of actionsOn(`http://127.0.0.1:${service.port}`, gallery)) {
      const samples: number[] = []
      while (samples.length < (plan.quick ? 1 : 5)) samples.push(await longestTask(browser, open, act))
      rows.push([name, formatValue(median(samples), 'ms'), samples.map((ms) => ms.toFixed(0)).join(' ')])
      figures.push({ name: `scrolling: ${name}`, unit: 'ms', samples, target })
    }
  } finally {
    await browser.close()
    await service.stop()
  }
  printTable(rows)
  return figures
}

async function longestTask(browser: Browser, open: Action['open'], act: Action['act']): Promise<number> {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await open(page)
    return Math.max(...(await mainThreadTasks(page, () => act(page))))
  } finally {
    await context.close()
  }
}

function actionsOn(url: string, { id, slug, shareToken }: Gallery): Action[] {
  const openGallery = async (page: Page) => {
    await page.goto(`${url}/gallery/${slug}/${shareToken}`)
    await page.locator(`html.scripted #grid.placed [aria-setsize="${photoCount}"]`).first().waitFor()
  }
  const openAdmin = async (page: Page) => {
    const data = { username: 'admin', password: adminPassword }
    const answer = await page.context().request.post(`${url}/api/auth/admin/login`, { data })
    if (!answer.ok()) throw new Error(`The sign-in answers ${answer.status()}`)
    await page.addInitScript("localStorage.setItem('proofroom-signed-in', 'yes')")
    await page.goto(`${url}/admin/events/${id}`)
    await page.locator('[data-photo]').first().waitFor()
  }
  const selectAll = async (page: Page) => {
    await page.locator('[data-photo]').first().click()
    await page.keyboard.press('Control+Shift+End')
    await page.getByText('10,000 selected').waitFor()
  }
  return [
    { name: 'scrolling in the gallery', open: openGallery, act: (page) => scrollThrough(page, galleryScrolling) },
    { name: 'scrolling in the admin app', open: openAdmin, act: (page) => scrollThrough(page, adminScrolling) },
    { name: 'selecting all in the admin app', open: openAdmin, act: selectAll },
  ]
}

async function makeLargeGallery(plan: Plan, dataDir: string): Promise<Gallery> {
  const service = await startService(dataDir)
  const gallery = await makeGallery(service.port, await makeApiToken(service.port))
  await addPhotos(service.port, gallery, await makePictures(plan.workspace, { width: 900, height: 600 }, 4))
  await service.stop()
  copyPhotosWithPictures(join(dataDir, 'proofroom.db'), gallery.id, photoCount)
  return gallery
}
