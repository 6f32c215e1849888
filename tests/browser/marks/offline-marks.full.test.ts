import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumForFile, waitForScript } from '../../support/browser/guest-page.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const chromium = await chromiumForFile()
const { admin, api } = service

let event: TestEvent
let ids: number[]
let proxy: TcpProxy
let address: string
beforeEach(async () => {
  event = await createEvent(api)
  // The gallery shows the newest photos first.
  ids = (await uploadPhotos(api, event.id, 4)).reverse()
  proxy = await startTcpProxy({ port: Number(new URL(service.url).port) })
  onTestFinished(proxy.close)
  address = `http://127.0.0.1:${proxy.port}/gallery/${event.slug}/${event.share_token}`
})

async function open(): Promise<Page> {
  const { page } = await chromium.open(address, 'phone')
  await waitForScript(page)
  return page
}

async function openAgain(page: Page, to = address): Promise<void> {
  await page.goto(to)
  await waitForScript(page)
}

const heart = (page: Page, number: number) => page.getByRole('button', { name: `Pick Photo ${number} of` })
const pick = (page: Page, number: number) => heart(page, number).tap()
const isPicked = async (page: Page, number: number) =>
  (await heart(page, number).getAttribute('aria-pressed')) === 'true'
const waitingLine = (page: Page) => page.locator('.waiting')
const waitForWaitingText = (page: Page, text: string | RegExp) => waitingLine(page).getByText(text).waitFor()
const waitUntilSent = (page: Page) => waitingLine(page).waitFor({ state: 'detached' })

/** Returns the numbers of the marked photos in the database, and the number of live events about marks. */
const loadStored = () =>
  readDatabase(service, (stored) => {
    const photos = stored.prepare('select photo_id from feedback where event_id = ? order by photo_id desc').pluck()
    const liveEventCount = stored
      .prepare("select count(*) from live_events where event_id = ? and type = 'feedback'")
      .pluck()
    return {
      photos: photos.all(event.id).map((id) => ids.indexOf(Number(id)) + 1),
      liveEventCount: Number(liveEventCount.get(event.id)),
    }
  })
const waitUntilStored = (photos: number[], liveEventCount: number) =>
  expect.poll(loadStored, { interval: 50 }).toEqual({ photos, liveEventCount })

describe('marks made without a connection', () => {
  test('show at once, wait, and arrive once after reconnecting, with their last value', {
    tags: 'nightly',
  }, async () => {
    const page = await open()
    await page.context().setOffline(true)
    for (const number of [1, 2, 2, 3]) await pick(page, number)
    await waitForWaitingText(page, "3 changes will sync when you're back online")
    expect(loadStored()).toEqual({ photos: [], liveEventCount: 0 })
    await page.context().setOffline(false)
    await waitUntilStored([1, 3], 2)
    await waitUntilSent(page)
    expect(await Promise.all([1, 2, 3, 4].map((number) => isPicked(page, number)))).toEqual([true, false, true, false])
  })

  test('survive a reload: they override the stored ones, count, and are sent', async () => {
    const page = await open()
    await page.route('**/feedback', (route) => route.abort())
    await pick(page, 2)
    await waitForWaitingText(page, "1 change will sync when you're back online")
    await openAgain(page)
    await expect.poll(() => isPicked(page, 2)).toBe(true)
    await waitForWaitingText(page, '1 change will sync')
    await page.getByRole('link', { name: '1 pick' }).tap()
    const listed = page.waitForResponse(/\/photos\?/).then((response) => response.finished())
    await Promise.all([listed, page.getByRole('button', { name: 'Show all photos' }).tap()])
    expect(await isPicked(page, 2)).toBe(true)
    expect(loadStored()).toEqual({ photos: [], liveEventCount: 0 })
    await page.unroute('**/feedback')
    await waitUntilStored([2], 1)
    await waitUntilSent(page)
  })
})

describe('a broken connection', () => {
  test('before or after the service has received a mark, or on a page that closes: each mark counts once', {
    tags: 'nightly',
  }, async () => {
    const page = await open()
    for (const passedOn of [false, true]) {
      proxy.disconnectOnText('"favorite"', { passedOn })
      await pick(page, passedOn ? 2 : 1)
      await waitUntilStored(passedOn ? [1, 2] : [1], passedOn ? 2 : 1)
      await waitUntilSent(page)
    }
    proxy.stall()
    await pick(page, 3)
    await pick(page, 4)
    await page.close()
    proxy.open()
    await openAgain(await page.context().newPage())
    await waitUntilStored([1, 2, 3, 4], 4)
  })

  test('and a page that is reloaded while its mark is sent: the next page shows it, even if it was rendered without', {
    tags: 'nightly',
  }, async () => {
    const page = await open()
    const rendered = Promise.withResolvers<void>()
    const accepted = Promise.withResolvers<void>()
    await page.route('**/feedback', async (route) => {
      await rendered.promise
      await route.continue()
    })
    page.on('requestfinished', (request) => request.url().endsWith('/feedback') && accepted.resolve())
    await page.route(address, async (route) => {
      const response = await route.fetch()
      rendered.resolve()
      await accepted.promise
      await route.fulfill({ response })
    })
    await pick(page, 2)
    await page.getByRole('link', { name: '1 pick' }).waitFor()
    await page.reload()
    await page.unrouteAll()
    await expect.poll(() => isPicked(page, 2)).toBe(true)
    await pick(page, 3)
    await page.getByRole('link', { name: '2 picks' }).waitFor()
    await waitUntilStored([2, 3], 2)
  })
})

describe('a mark that the service rejects', () => {
  test('for a photo that was hidden is undone and reported, and the photo disappears', async () => {
    const page = await open()
    await page.context().setOffline(true)
    await pick(page, 1)
    await pick(page, 2)
    await waitForWaitingText(page, '2 changes will sync')
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    await page.context().setOffline(false)
    await page.getByText("Your change wasn't saved. This photo isn't available.").waitFor()
    await heart(page, 4).waitFor({ state: 'detached' })
    await waitUntilStored([2], 1)
    await waitUntilSent(page)
    expect(await page.locator('.grid .pick').count()).toBe(3)
    expect(await isPicked(page, 1)).toBe(true)
  })

  test('because the session has ended is sent with a new one, as the same guest', async () => {
    const page = await open()
    await pick(page, 1)
    await waitUntilStored([1], 1)
    await page.context().clearCookies({ name: `gallery_${event.id}` })
    await pick(page, 2)
    await waitUntilStored([1, 2], 2)
    expect(guests()).toHaveLength(1)
  })

  test('because the session has ended waits until the password is entered', { tags: 'nightly' }, async () => {
    await api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'seaside-evening' })
    const { share_token } = (await api.get(`/api/v1/events/${event.id}/share-link`)).body
    const { page } = await chromium.open(`${address.slice(0, address.lastIndexOf('/'))}/${share_token}`, 'phone')
    const enter = async () => {
      await page.getByLabel('Password').fill('seaside-evening')
      await page.getByRole('button', { name: 'Open gallery' }).tap()
      await waitForScript(page)
    }
    await enter()
    await pick(page, 1)
    await waitUntilStored([1], 1)
    await page.context().clearCookies({ name: `gallery_${event.id}` })
    await pick(page, 2)
    await waitForWaitingText(page, 'Your session has ended.')
    await page.getByRole('button', { name: 'Open again' }).tap()
    await enter()
    await waitUntilStored([1, 2], 2)
    await waitUntilSent(page)
    expect(guests()).toHaveLength(1)
  })
})

const guests = () =>
  readDatabase(service, (stored) =>
    stored.prepare('select distinct guest_id from feedback where event_id = ?').pluck().all(event.id),
  )

test('waiting marks are sent only as the guest who gave them, not as another one in the browser', async () => {
  const page = await open()
  const context = page.context()
  await pick(page, 1)
  await waitUntilStored([1], 1)
  const ana = guests()
  const cookies = await context.cookies()
  await context.setOffline(true)
  await pick(page, 2)
  await waitForWaitingText(page, '1 change will sync')
  await page.close()
  await context.setOffline(false)

  await context.clearCookies()
  const bens = await context.newPage()
  await openAgain(bens)
  await pick(bens, 3)
  await waitUntilStored([1, 3], 2)
  expect(await isPicked(bens, 2)).toBe(false)
  await bens.close()

  await context.clearCookies()
  await context.addCookies(cookies)
  const back = await context.newPage()
  await openAgain(back)
  await waitUntilStored([1, 2, 3], 3)
  expect(await Promise.all([1, 2, 3].map((number) => isPicked(back, number)))).toEqual([true, true, false])
  expect(guests()).toEqual(expect.arrayContaining(ana))
  expect(guests()).toHaveLength(2)
})

test('a window without storage sends its marks, and asks before closing with unsent ones', {
  tags: 'nightly',
}, async () => {
  const { page } = await chromium.openBlankPage(address, 'phone')
  await page.addInitScript(() => {
    for (const kind of ['indexedDB', 'localStorage', 'sessionStorage'])
      Object.defineProperty(window, kind, { value: undefined })
  })
  await openAgain(page)
  await pick(page, 1)
  await waitUntilStored([1], 1)
  await page.context().setOffline(true)
  await pick(page, 2)
  await waitForWaitingText(page, '1 change will sync')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  expect((await asked).type()).toBe('beforeunload')
  await page.context().setOffline(false)
  await waitUntilStored([1, 2], 2)
})

test('the worker sends waiting marks when there is a connection and no page is open', { tags: 'nightly' }, async () => {
  const page = await open()
  const context = page.context()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await context.setOffline(true)
  await pick(page, 3)
  await waitForWaitingText(page, '1 change will sync')
  const elsewhere = await context.newPage()
  await page.close()
  await context.setOffline(false)
  expect(loadStored().photos).toEqual([])
  await notifyWorker(elsewhere)
  await waitUntilStored([3], 1)
  await openAgain(elsewhere)
  expect(await isPicked(elsewhere, 3)).toBe(true)
  expect(await waitingLine(elsewhere).count()).toBe(0)
})

test('the worker sets marks aside while the picks are locked, and the next page does not show them as picks', {
  tags: 'nightly',
}, async () => {
  await admin.put(`/api/admin/events/${event.id}/package`, { purpose: 'Album', included: 2 })
  const page = await open()
  const context = page.context()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await pick(page, 1)
  await waitUntilStored([1], 1)
  await context.setOffline(true)
  await pick(page, 3)
  await waitForWaitingText(page, '1 change will sync')
  const sent = await context.request.post(`${service.url}/api/gallery/${event.slug}/selection`, { data: {} })
  expect(sent.status()).toBe(200)
  await page.goto('about:blank')
  await context.setOffline(false)
  await notifyWorker(page)
  // Only the worker sends marks.
  await page.route('**/feedback', (route) => route.abort())
  await openAgain(page)
  await page.getByRole('dialog').getByText('1 change not sent').waitFor()
  expect(await page.locator('.my-picks').textContent()).toBe('Album: 1 of 2')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await Promise.all([1, 3].map((number) => isPicked(page, number)))).toEqual([true, false])
  expect(loadStored().photos).toEqual([1])
})

/** Notifies the worker that the connection is back, because headless Chromium does not. */
async function notifyWorker(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await devTools.send('ServiceWorker.enable')
  const event = { origin: new URL(address).origin, tag: 'marks', lastChance: false }
  await devTools.send('ServiceWorker.dispatchSyncEvent', { ...event, registrationId: await registered })
}

test('the worker is one small file that is never cached, and responds to no requests', async () => {
  const answer = await fetch(`${service.url}/gallery/marks-worker.js`, { headers: { 'accept-encoding': 'br' } })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': expect.stringMatching(/^(text|application)\/javascript/),
    'content-encoding': 'br',
    'cache-control': 'no-cache',
    'content-security-policy': expect.stringContaining("connect-src 'self'"),
  })
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(5_000)
  const code = await answer.text()
  expect(code).toMatch(/addEventListener\(.sync/)
  expect(code).not.toMatch(/addEventListener\(.fetch|caches|^import /m)
})
