import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { chromiumForFile, waitForHistory, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api } = service
const guests = await chromiumForFile()

const total = 40
let event: TestEvent
let ids: number[] = []

beforeAll(async () => {
  const categories = (await service.admin.get('/api/admin/categories/global')).body
  event = await createEvent(api, {
    default_photo_sort: 'upload_date_asc',
    allow_user_uploads: true,
    upload_category_id: categories[0].id,
  })
  ids = await uploadPhotos(api, event.id, total)
})

/** The page before the gallery in the history. One Back too many leads to it. */
const elsewhere = `${service.url}/health/live`

/** Opens the gallery on a phone, after another page in the history. */
async function openGallery(path = '', of = event) {
  const { page, pageErrors } = await guests.open(elsewhere, 'phone')
  await page.goto(of.share_url + path)
  await waitForScript(page)
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: typeof name === 'string' })
  const fromMenu = async (name: string) => {
    await touch(button('More'))
    await button(name, page.locator('#menu')).tap()
  }
  const dialog = page.locator('dialog[open]')
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
  const close = (layer: Locator) => button('Close', layer).tap()
  return { page, pageErrors, button, fromMenu, dialog, viewer, close }
}

type Gallery = Awaited<ReturnType<typeof openGallery>>

const tile = (page: Page, number: number) => page.locator(`[data-photo="${ids[number - 1]}"]`)
/** Touches without scrolling. `tap` of Playwright would scroll to a control that is fixed. */
async function touch(target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await target.page().touchscreen.tap(x + width / 2, y + height / 2)
}

const waitUntilHidden = (layer: Locator) => layer.waitFor({ state: 'hidden' })
const search = (page: Page) => new URL(page.url()).search
const getScroll = (page: Page) => page.evaluate(() => scrollY)

async function expectBackLeaves(page: Page): Promise<void> {
  await waitForHistory(page)
  await page.goBack()
  expect(page.url()).toBe(elsewhere)
}

type LayerKind = {
  name: string
  open: (gallery: Gallery) => Promise<Locator>
  close?: (gallery: Gallery, layer: Locator) => Promise<void>
}

const dialogFromMenu = (name: string): LayerKind => ({
  name: `the dialog "${name}"`,
  open: async ({ fromMenu, dialog }) => {
    await fromMenu(name)
    return dialog
  },
})

const kinds: LayerKind[] = [
  {
    name: 'the menu',
    open: async ({ page, button }) => {
      await touch(button('More'))
      return page.locator('#menu')
    },
    close: ({ page }) => page.keyboard.press('Escape'),
  },
  dialogFromMenu('Share'),
  ...(isLongRun
    ? ['Your name and email', 'Continue on another device', 'Download all', 'Add photos'].map(dialogFromMenu)
    : []),
  {
    name: 'the sheet of the filters',
    open: async ({ page, dialog }) => {
      await touch(page.locator('.filter-opener'))
      return dialog
    },
  },
  {
    name: 'the dialog that sends picks',
    open: async ({ page, button, dialog }) => {
      const pick = page.getByRole('button', { name: 'Pick Photo 1 of' })
      if (await pick.and(page.locator('[aria-pressed=false]')).count()) await pick.dispatchEvent('click')
      await touch(button('Send to photographer'))
      return dialog
    },
  },
  {
    name: 'selecting',
    open: async ({ page, fromMenu }) => {
      await fromMenu('Select photos')
      return page.getByRole('region', { name: 'Selected photos' })
    },
    close: ({ button }) => button('Exit selection').tap(),
  },
]

test('Back closes each layer, and closing it by hand leaves no history entry', async () => {
  const gallery = await openGallery('?sort=filename&order=asc')
  const { page, pageErrors } = gallery
  await page.evaluate(() => scrollTo(0, 700))
  const before = { search: search(page), top: await getScroll(page), layers: 0 }
  for (const { name, open, close } of kinds) {
    const expectAsBefore = async () => {
      const now = { search: search(page), top: await getScroll(page), layers: await page.getByRole('dialog').count() }
      expect(now, name).toEqual(before)
    }
    const layer = await open(gallery)
    await layer.waitFor()
    await page.goBack()
    await waitUntilHidden(layer)
    await expectAsBefore()
    await page.goForward()
    await waitForHistory(page)
    expect(await layer.isVisible(), name).toBe(false)
    await expectAsBefore()

    await open(gallery)
    await layer.waitFor()
    await (close ? close(gallery, layer) : gallery.close(layer))
    await waitUntilHidden(layer)
    await waitForHistory(page)
    await expectAsBefore()
  }
  await expectBackLeaves(page)
  expect(pageErrors).toEqual([])
})

describe('over the viewer', () => {
  test('Back closes the comments or the comparison, and the next Back the viewer', { tags: 'nightly' }, async () => {
    const { page, button, dialog, viewer, close } = await openGallery()
    const openComments = async () => {
      await button(/^Comment/, viewer).tap()
      await dialog.waitFor()
    }
    await tile(page, 3).tap()
    await openComments()
    await page.goBack()
    await waitUntilHidden(dialog)
    expect(search(page)).toBe(`?photo=${ids[2]}`)
    await openComments()
    await page.evaluate(() => history.go(-2))
    await waitUntilHidden(viewer)
    expect([await dialog.count(), search(page)]).toEqual([0, ''])
    await tile(page, 3).tap()
    await openComments()
    await close(dialog)
    await waitUntilHidden(dialog)
    await waitForHistory(page)
    expect(await viewer.isVisible()).toBe(true)

    const compare = page.getByRole('dialog', { name: 'Compare' })
    await button('Compare', viewer).tap()
    await compare.waitFor()
    await page.goBack()
    await waitUntilHidden(compare)
    await button('Compare', viewer).tap()
    await close(compare)
    await waitUntilHidden(compare)
    await waitForHistory(page)
    await page.goBack()
    await waitUntilHidden(viewer)
    expect(search(page)).toBe('')
    await page.goForward()
    await viewer.getByText(`3 / ${total}`).waitFor()
    await page.goBack()
    await waitUntilHidden(viewer)
    await expectBackLeaves(page)
  })
})

describe('with filters', () => {
  const ways: Array<(gallery: Gallery) => Promise<unknown>> = [
    ({ page }) => page.goBack(),
    ({ dialog, close }) => close(dialog),
    ({ dialog }) => dialog.getByRole('button', { name: /^Show / }).tap(),
    async ({ page }) => {
      await page.reload()
      await page.locator('html.scripted').waitFor()
    },
  ]

  test('choices in their sheet stay after it is closed in any way or a reload, and are one step back', {
    tags: 'nightly',
  }, async () => {
    const gallery = await openGallery()
    const { page, dialog } = gallery
    for (const close of ways) {
      await page.locator('.filter-opener').tap()
      await dialog.getByText('Red').tap()
      await dialog.getByText('Blue').tap()
      await expect.poll(() => search(page)).toBe('?color_label=red%2Cblue')
      await close(gallery)
      await waitUntilHidden(dialog)
      await waitForHistory(page)
      expect(search(page)).toBe('?color_label=red%2Cblue')
      await page.goBack()
      await page.locator('.tile').nth(5).waitFor()
      expect(search(page)).toBe('')
      await page.goForward()
      await expect.poll(() => page.locator('.tile').count()).toBe(0)
      expect(search(page)).toBe('?color_label=red%2Cblue')
      expect(await dialog.count()).toBe(0)
      await page.goBack()
      await page.locator('.tile').nth(5).waitFor()
    }
    await expectBackLeaves(page)
  })

  test('Back ends a selection of photos, and the next Back undoes the filter', { tags: 'nightly' }, async () => {
    const { page, fromMenu, dialog } = await openGallery()
    const bar = page.getByRole('region', { name: 'Selected photos' })
    await fromMenu('Select photos')
    await page.getByRole('checkbox', { name: 'Photo 1 of' }).tap()
    await page.getByRole('link', { name: 'My picks', exact: true }).tap()
    await expect.poll(() => search(page)).toBe('?filter=favorited')
    await bar.getByRole('button', { name: 'Download' }).tap()
    await dialog.waitFor()
    await page.goBack()
    await waitUntilHidden(dialog)
    await bar.getByText('1 selected').waitFor()
    await page.goBack()
    await waitUntilHidden(bar)
    expect(search(page)).toBe('?filter=favorited')
    await page.goBack()
    await page.locator('.tile').nth(5).waitFor()
    await expectBackLeaves(page)
  })
})

test('after a reload or a return from another page no old dialog shows, and it leaves no entry', {
  tags: 'nightly',
}, async () => {
  const { page, button, dialog, viewer } = await openGallery()
  const leaveAndReturn = async () => {
    await page.goto(`${elsewhere}?further`)
    await page.goBack()
  }
  for (const come of [() => page.reload(), leaveAndReturn]) {
    await tile(page, 2).tap()
    await button(/^Comment/, viewer).tap()
    await dialog.waitFor()
    await come()
    await viewer.getByText(`2 / ${total}`).waitFor()
    await waitForHistory(page)
    expect(await dialog.count()).toBe(0)
    await page.goBack()
    await waitUntilHidden(viewer)
  }
  await expectBackLeaves(page)
})

test('a touch beside the menu closes it, and opens no photo below', {
  tags: 'nightly',
}, async () => {
  const { page, button, viewer } = await openGallery()
  await page.evaluate(() => scrollTo(0, 700))
  await touch(button('More'))
  await page.locator('#menu').waitFor()
  // Taps above the menu, which is at the bottom of the window.
  await page.touchscreen.tap(200, 150)
  await waitUntilHidden(page.locator('#menu'))
  await waitForHistory(page)
  expect([search(page), await viewer.count()]).toEqual(['', 0])
  // The next tap reaches the photo.
  await page.touchscreen.tap(200, 150)
  await viewer.waitFor()
  await expect.poll(() => search(page)).toMatch(/^\?photo=\d+$/)
  await page.goBack()
  await waitUntilHidden(viewer)
  expect(search(page)).toBe('')
})

// A closed layer keeps its history entry for 100 ms. The delays in this test are around that time.
test('a layer that opens right after another one closes has its own history entry', { tags: 'nightly' }, async () => {
  const { page, button, dialog, viewer } = await openGallery()
  for (const delayMs of [0, 99, 102, 120]) {
    await page.locator('.filter-opener').tap()
    await dialog.waitFor()
    await button('Close', dialog).evaluate(
      async (cross: HTMLElement, [id, delayMs]) => {
        cross.click()
        if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs))
        document.querySelector<HTMLElement>(`[data-photo="${id}"]`)?.click()
      },
      [ids[1], delayMs] as const,
    )
    await viewer.waitFor()
    await expect.poll(() => search(page)).toBe(`?photo=${ids[1]}`)
    await page.goBack()
    await waitUntilHidden(viewer)
    expect(search(page)).toBe('')
  }
  await expectBackLeaves(page)
})
