import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { coverLayouts } from '../../contract/themes.ts'
import { contrast } from '../../server/settings/accent-style.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow, waitForScript, watchShifts } from '../support/browser/guest-page.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { noisyPicture } from '../support/media/image-files.ts'
import { allowVideos, clip, uploadVideo, waitUntilProcessed } from '../support/media/videos.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const { api } = service
const guests = await chromiumForFile()

const gray = (level: number) =>
  sharp({ create: { width: 1200, height: 800, channels: 3, background: { r: level, g: level, b: level } } })
const pictures = {
  white: gray(255),
  dark: gray(40),
  busy: noisyPicture(1200, 800).linear(2, 60),
  'half white': gray(30).composite([{ input: await gray(255).resize(1200, 300).png().toBuffer(), gravity: 'south' }]),
}

const event = await createEvent(api, { header_style: 'hero', event_name: 'Ana & Ben', event_date: '2026-06-20' })
const covers = new Map<string, number>()
for (const [name, picture] of Object.entries(pictures)) {
  const answer = await api.upload(event.id, await picture.jpeg({ quality: 90 }).toBuffer(), { name: `${name}.jpg` })
  covers.set(name, answer.body.id)
}
await uploadPhotos(api, event.id, 8)

const setCover = (name: string, cover_layout = 'full') =>
  api.patch(`/api/v1/events/${event.id}`, { cover_photo_id: covers.get(name), cover_layout })

const sizes = { phone: { width: 360, height: 640 }, desktop: { width: 1920, height: 1080 } }

async function openCover(device: keyof typeof sizes): Promise<Page> {
  const { page } = await guests.openBlankPage(service.url, device, { viewport: sizes[device], deviceScaleFactor: 1 })
  // The first view of a cover measures it.
  for (let view = 0; view < 2; view++) {
    await page.goto(event.share_url)
    await waitForScript(page)
    await page.waitForLoadState('networkidle')
  }
  return page
}

test.each(Object.keys(pictures))('white words are readable on a %s cover', async (name) => {
  await setCover(name)
  for (const device of ['phone', 'desktop'] as const) {
    const page = await openCover(device)
    await page.locator('.title *').evaluateAll((parts) => {
      for (const part of parts) (part as HTMLElement).style.color = 'transparent'
    })
    const cover = await page.locator('.cover').boundingBox()
    const share = (cover?.height ?? 0) / sizes[device].height
    expect([share > (device === 'phone' ? 0.99 : 0.5), share < (device === 'phone' ? 1.01 : 0.67)]).toEqual([
      true,
      true,
    ])
    for (const part of ['h1', '.facts']) {
      const clip = await page.locator(`.title ${part}`).boundingBox()
      if (!clip) throw new Error(`no ${part}`)
      const { data } = await sharp(await page.screenshot({ clip }))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      let lowest = 21
      for (let at = 0; at < data.length; at += 3 * 17) {
        lowest = Math.min(lowest, contrast([255, 255, 255], [...data.subarray(at, at + 3)] as [number, number, number]))
      }
      expect(lowest, `${device}, ${part}`).toBeGreaterThanOrEqual(4.5)
    }
    if (name === 'dark') {
      const shade = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--cover-shade'),
      )
      expect(Number(shade)).toBe(0)
    }
    await page.context().close()
  }
})

test.each(coverLayouts)('the layout %s leads into the photos without a shift, at any width', async (layout) => {
  await setCover('busy', layout)
  for (const device of ['phone', 'desktop'] as const) {
    const { page } = await guests.openBlankPage(service.url, device, { viewport: sizes[device] })
    const shifts = await watchShifts(page)
    await page.goto(event.share_url)
    await waitForScript(page)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.cover').count()).toBe(layout === 'words' ? 0 : 1)
    await page.locator('.tile').last().scrollIntoViewIfNeeded()
    await page.waitForLoadState('networkidle')
    expect(await shifts()).toEqual([])
    expect(await measureSidewaysOverflow(page)).toBe(0)
    if (device === 'phone') await expectNoAxeFindings(page)
    await page.context().close()
  }
})

test('the film of a cover plays over its still, pauses by a button, and never without motion', async () => {
  await allowVideos(service)
  const opened = await createEvent(api, { header_style: 'hero', event_name: 'Film' })
  const film = await uploadVideo(service.admin, opened.id, await clip('clip.webm'), { name: 'film.webm' })
  await uploadPhotos(api, opened.id, 4)
  await waitUntilProcessed(api, opened.id, film)
  await api.patch(`/api/v1/events/${opened.id}`, { cover_photo_id: film })
  const moving = { reducedMotion: 'no-preference' } as const
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone', moving)
  const shifts = await watchShifts(page)
  await page.goto(opened.share_url)
  const video = page.locator('.cover video')
  await expect.poll(() => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime)).toBeGreaterThan(0.1)
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Pause the film' }).tap()
  await page.getByRole('button', { name: 'Play the film' }).waitFor()
  expect(await video.evaluate(({ paused, muted }: HTMLVideoElement) => [paused, muted])).toEqual([true, true])
  expect(await shifts()).toEqual([])
  expect(pageErrors).toEqual([])

  const calm = await guests.openBlankPage(service.url, 'phone', { reducedMotion: 'reduce' })
  await calm.page.goto(opened.share_url)
  await waitForScript(calm.page)
  await calm.page.waitForLoadState('networkidle')
  expect(await calm.page.locator('.cover video').count()).toBe(0)
})
