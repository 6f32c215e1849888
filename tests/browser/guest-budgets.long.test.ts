import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { builtFolder, builtPath } from '../../server/platform/html/web-build.ts'
import { emulateSlowConnection } from '../../tools/largest-paint.ts'
import { chromiumForFile, type Device, waitForScript, watchShifts } from '../support/browser/guest-page.ts'
import { recordNetwork, sumBytes } from '../support/browser/network-requests.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const guests = await chromiumForFile()
const both: Device[] = ['phone', 'desktop']

let event: TestEvent
beforeAll(async () => {
  event = await createLargeGallery(service, {
    photos: 10_000,
    pictures: 4,
    longEdgePx: 900,
    event: { header_style: 'standard' },
  })
})

test('the grid reacts to touch with at most 30 KB of script', async () => {
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone')
  const networkRequests = await recordNetwork(page)
  await page.goto(event.share_url)
  await waitForScript(page)
  const scripts = networkRequests.filter(({ type, path }) => type === 'Script' || path.endsWith('.js'))
  // The touch preloads the viewer. The grid must react without it, so later scripts get no response.
  await page.route('**/*.js', () => undefined)
  await page.getByRole('button', { name: 'Pick Photo 1 of' }).tap()
  await page.getByRole('button', { name: 'Pick Photo 1 of', pressed: true }).waitFor()
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter(({ bytes }) => bytes === 0)).toEqual([])
  expect(sumBytes(scripts)).toBeLessThanOrEqual(30_000)
  expect(pageErrors).toEqual([])
})

test('all script for guests, with viewer, comments, comparison and upload, is at most 120 KB', async () => {
  const manifest: Manifest = JSON.parse(await readFile(`${builtFolder}/manifest.json`, 'utf8'))
  const files = [...listChunks(manifest, 'gallery/start.tsx')].filter((file) => file.endsWith('.js'))
  const responses = await Promise.all(
    files.map((file) => fetch(`${service.url}${builtPath}${file}`, { headers: { 'accept-encoding': 'br' } })),
  )
  expect(responses.map(({ status, headers }) => [status, headers.get('content-encoding')])).toEqual(
    files.map(() => [200, 'br']),
  )
  const bytes = responses.map(({ headers }) => Number(headers.get('content-length') ?? Number.NaN))
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000)
})

describe('nothing moves while the page loads and its script takes over', () => {
  test.each(both)('on a %s', async (device) => {
    const small = await createEvent(service.api, { header_style: 'standard' })
    await uploadPhotos(service.api, small.id, 2)
    const covered = await createEvent(service.api, { header_style: 'hero' })
    await uploadPhotos(service.api, covered.id, 20)
    for (const url of [event.share_url, covered.share_url, small.share_url]) {
      const { page } = await guests.openBlankPage(service.url, device)
      const shifts = await watchShifts(page)
      // Pictures load slowly, one after another.
      if (device === 'phone') await emulateSlowConnection(page)
      await page.goto(url)
      await waitForScript(page, url === small.share_url)
      await page.waitForLoadState('networkidle')
      expect(await shifts()).toEqual([])
      expect((await listVisiblePictures(page)).filter(({ isThere }) => !isThere)).toEqual([])
    }
  })
})

test.each([
  ['classic', 'Charlotte and Theodore at the lake of Como'],
  ['linen', 'Bjørn & Żaneta'],
  ['meadow', 'Ελένη και Γιώργος'],
  ['coast', 'Олена й Тарас'],
] as const)('no text moves when the fonts of the theme %s arrive', async (theme_preset, event_name) => {
  const welcome_message =
    'Thank you for celebrating with us. Here are our favourite moments of the day and of the night.'
  const named = await createEvent(service.api, { theme_preset, event_name, welcome_message, header_style: 'standard' })
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone')
  const shifts = await watchShifts(page)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await emulateSlowConnection(page)
  await page.goto(named.share_url)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  const isInTitleFont = await page.getByRole('heading', { level: 1 }).evaluate((title) => {
    const [family = ''] = getComputedStyle(title).fontFamily.split(',')
    return family.includes('-title') && document.fonts.check(`16px ${family}`, title.textContent ?? '')
  })
  expect(isInTitleFont).toBe(true)
  expect(await shifts()).toEqual([])
  expect(requested.filter((path) => path.endsWith('.woff2') && path.includes('-title'))).toEqual([])
  expect(pageErrors).toEqual([])
})

test('at most 15 KB of the list load before the first photo', async () => {
  const { page } = await guests.openBlankPage(service.url, 'phone')
  await emulateSlowConnection(page)
  const networkRequests = await recordNetwork(page)
  await page.goto(event.share_url)
  await waitForScript(page)
  await page.waitForLoadState('networkidle')
  const firstPhotoAt = Math.min(
    ...networkRequests.filter(({ path, endedAt }) => isPicture(path) && endedAt > 0).map(({ endedAt }) => endedAt),
  )
  const lists = networkRequests.filter(
    ({ type, sentAt }) => type === 'Document' || (type === 'Fetch' && sentAt < firstPhotoAt),
  )
  expect(sumBytes(lists)).toBeLessThanOrEqual(15_000)
})

type Manifest = Record<string, { file: string; imports?: string[]; dynamicImports?: string[] }>

function listChunks(manifest: Manifest, entry: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[entry]
  if (!chunk || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const name of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) listChunks(manifest, name, found)
  return found
}

const isPicture = (path: string): boolean => /^\/api\/gallery\/[^/]+\/(thumbnail|photo)\/\d+/.test(path)

const listVisiblePictures = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLImageElement>('.photo img:not(.hash)')]
      .filter((image) => {
        const { top, bottom, height } = image.getBoundingClientRect()
        return height > 0 && bottom > 0 && top < innerHeight
      })
      .map((image) => ({ alt: image.alt, isThere: image.complete && image.naturalWidth > 0 })),
  )
