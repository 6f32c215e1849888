import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { expectNoAxeFindings } from '../../support/browser/axe.ts'
import {
  chooseFromMenu,
  chromiumForFile,
  type Device,
  waitForHistory,
  waitForScript,
} from '../../support/browser/guest-page.ts'
import { hasFocus } from '../../support/browser/input-methods.ts'
import { expectOnRed, findRed, redPicture } from '../../support/browser/red-area.ts'
import { moveFingers, swipe } from '../../support/browser/touch-gestures.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const guests = await chromiumForFile()

let event: TestEvent
let photoId: number

beforeEach(async () => {
  event = await createEvent(api, {
    default_photo_sort: 'upload_date_asc',
    allow_annotations: true,
    allow_notes: true,
    moderate_comments: false,
  })
  const picture = await redPicture()
  const lying = await sharp(picture).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  photoId = (await api.upload(event.id, Buffer.from(lying), { name: 'portrait.jpg' })).body.id
  await api.upload(event.id, Buffer.from(await sharp(picture).jpeg().toBuffer()), { name: 'other.jpg' })
})

async function open(device: Device) {
  const colorScheme = device === 'phone' ? 'light' : 'dark'
  const { page, pageErrors } = await guests.open(`${event.share_url}?photo=${photoId}`, device, { colorScheme })
  await waitForScript(page, true)
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
  const button = (name: string | RegExp) => viewer.getByRole('button', { name, exact: true })
  const sheet = page.locator('dialog[open]')
  // The thumbnail has too few pixels to find edges.
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('.pswp--open .pswp__img:not(.pswp__img--placeholder)')
    return image?.complete && /[?&]w=/.test(image.currentSrc)
  })
  await button('Mark a place on the photo').waitFor()
  return { page, pageErrors, button, sheet }
}

type Sheet = Awaited<ReturnType<typeof open>>['sheet']

const surface = (page: Page) => page.getByRole('application', { name: 'Mark a place on the photo' })

async function write(sheet: Sheet, label: string, text: string): Promise<void> {
  const form = sheet.locator('form').filter({ has: sheet.page().getByLabel(label) })
  await form.getByLabel(label).fill(text)
  await form.getByRole('button', { name: 'Send' }).click()
}

/** Waits until the red area is at least this wide and rests. */
async function waitForRed(page: Page, minWidth: number) {
  let found = await findRed(page)
  await expect
    .poll(
      async () => {
        const before = found
        found = await findRed(page)
        return found.to.x - found.from.x > minWidth && JSON.stringify(found) === JSON.stringify(before)
      },
      { interval: 200 },
    )
    .toBe(true)
  return found
}

const loadThreads = async () => (await admin.get(`/api/admin/events/${event.id}/threads`)).body.threads
const answerPath = (id: number) => `/api/admin/events/${event.id}/threads/${id}/messages`

test('on a phone: a box while zoomed, the answer of the operator appears, and an answer without a connection arrives once', async () => {
  const { page, pageErrors, button, sheet } = await open('phone')
  await button('Mark a place on the photo').tap()
  await page.getByText('Tap for a pin, drag for a box.').waitFor()
  await expectNoAxeFindings(page)
  await page.touchscreen.tap(300, 600)
  await sheet.getByRole('heading', { name: 'New pin, lower right' }).waitFor()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })
  // Two fingers zoom while the guest draws.
  const fingers = (...places: number[]) => places.map((x) => ({ x, y: 380 }))
  const fitted = await findRed(page)
  await moveFingers(page, fingers(150, 240), fingers(130, 260))
  const { from, to } = await waitForRed(page, 1.2 * (fitted.to.x - fitted.from.x))
  await swipe(page, from, to)
  await write(sheet, 'What should be changed here?', 'Please remove the sign')
  await button('Box 1 of 1, upper left, open').waitFor()
  const [thread] = await loadThreads()
  expectOnRed(thread)
  await expectNoAxeFindings(page)

  await admin.post(answerPath(thread.id), { text: 'Done, please look' })
  await button('Box 1 of 1, upper left, answered').tap()
  await sheet.getByText('Done, please look').waitFor()
  await expectNoAxeFindings(page)
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await sheet.getByRole('button', { name: 'Open again' }).waitFor()
  expect(await loadThreads()).toMatchObject([{ state: 'done' }])
  await sheet.getByRole('button', { name: 'Open again' }).tap()
  await sheet.getByRole('button', { name: 'Done' }).waitFor()

  // The worker is registered some seconds after the page has loaded, which fails without a connection.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.context().setOffline(true)
  await write(sheet, 'Write an answer', 'A bit more, please')
  await sheet.getByRole('listitem').getByText("Will be sent when you're back online").waitFor()
  await page.context().setOffline(false)
  await sheet.getByText('Answer sent.').waitFor()
  await sheet.getByText("Will be sent when you're back online").waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await loadThreads())[0].messages.map(({ text }: { text: string }) => text))
    .toEqual(['Done, please look', 'A bit more, please'])
  await sheet.getByRole('button', { name: 'Remove my answer' }).tap()
  await sheet.getByRole('button', { name: 'Remove', exact: true }).tap()
  await sheet.getByText('Answer removed.').waitFor()
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await sheet.getByRole('button', { name: 'Open again' }).waitFor()
  await write(sheet, 'Write an answer', 'Still there')
  await sheet.getByText('Answer sent. The request is open again.').waitFor()
  expect(pageErrors.filter((text) => !text.includes('net::ERR_'))).toEqual([])
})

test('on a desktop: a pin and a box by keyboard, a comment with an answer beside them, nothing on a hidden photo', async () => {
  const { page, pageErrors, button, sheet } = await open('desktop')
  await button('Mark a place on the photo').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(surface(page))).toBe(true)
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await expect.poll(() => hasFocus(sheet.getByLabel('What should be changed here?'))).toBe(true)
  await page.keyboard.type('Is this in focus?')
  await page.keyboard.press('Control+Enter')
  await button('Pin 1 of 1, middle, open').waitFor()
  expect((await loadThreads())[0]).toMatchObject({ kind: 'pin', y: 500_000 })
  await expect.poll(() => hasFocus(button('Mark a place on the photo'))).toBe(true)

  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(surface(page))).toBe(true)
  for (let presses = 0; presses < 12; presses++) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  // Without a connection, the box waits.
  await page.route('**/threads', (route) => route.abort())
  await page.keyboard.press('Enter')
  await write(sheet, 'What should be changed here?', 'And this?')
  await page.getByRole('img', { name: 'New box, middle. Will be sent' }).waitFor()
  await page.unroute('**/threads')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await button('Box 2 of 2, middle, open').waitFor()
  expect((await loadThreads())[0]).toMatchObject({ kind: 'box', text: 'And this?' })
  await expectNoAxeFindings(page)

  await button('Mark a place on the photo').press('Enter')
  await page.keyboard.press('Escape')
  await surface(page).waitFor({ state: 'detached' })
  expect(await page.getByText('Mark', { exact: true }).isVisible()).toBe(true)
  await button('Play slideshow').click()
  await button(/^Pin 1/).waitFor({ state: 'detached' })
  await button('Pause slideshow').click()
  await button(/^Pin 1/).waitFor()

  await button(/^Comment/).click()
  await write(sheet, 'Write a comment', 'Lovely')
  await sheet.getByText('Comment sent.').waitFor()
  const comment = sheet.getByRole('listitem').filter({ hasText: 'Lovely' })
  await comment.getByRole('button', { name: 'Answer', exact: true }).click()
  await write(sheet, 'Write an answer', 'All of them')
  await comment.getByText('All of them').waitFor()
  expect(await sheet.locator('.thread').count()).toBe(3)
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')

  await button(/^Pin 1/).waitFor()
  const hidden = await api.patch(`/api/v1/events/${event.id}/photos/${photoId}`, { visibility: 'hidden' })
  expect(hidden.status).toBe(200)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await button(/^Pin 1/).waitFor({ state: 'detached' })
  expect(pageErrors.filter((text) => !text.match(/ERR_FAILED|404/))).toEqual([])
})

test('a guest who comes without a mail learns of answers, also while the page is open, and where they are', async () => {
  await api.patch(`/api/v1/events/${event.id}`, { ask_guest_name: true })
  const { page, pageErrors, button, sheet } = await open('phone')
  const line = page.locator('.notices')
  const badges = page.getByRole('img', { name: 'New answer' })
  const show = line.getByRole('button', { name: 'Show', exact: true })
  const close = () => sheet.getByRole('button', { name: 'Close' }).tap()
  await page.getByText('Mark', { exact: true }).tap()
  await page.touchscreen.tap(200, 400)
  await write(sheet, 'What should be changed here?', 'Please remove the sign')
  await page.getByText('Your photographer then knows who wrote this.').waitFor()
  await page.getByText('To tell you when there is an answer').waitFor()
  await page.getByRole('button', { name: 'Skip' }).tap()
  await page.getByText('Sent to your photographer.').waitFor()
  await expect.poll(() => page.getByText('Mark', { exact: true }).isVisible()).toBe(false)
  await button(/^Pin 1/).waitFor()
  await button('Close').tap()

  const [pin] = await loadThreads()
  await admin.post(answerPath(pin.id), { text: 'Done, please look' })
  await line.getByText('Your photographer answered a request').waitFor()
  expect(await badges.count()).toBe(1)
  await expectNoAxeFindings(page)
  await show.tap()
  await sheet.getByText('Done, please look').waitFor()
  expect(new URL(page.url()).searchParams.get('photo')).toBe(String(photoId))
  await close()
  await button('Close').tap()
  await badges.waitFor({ state: 'detached' })
  expect(await show.count()).toBe(0)

  await chooseFromMenu(page, 'Note to the photographer')
  await write(sheet, 'Write a note', 'Thank you for all')
  await sheet.getByText('Thank you for all').waitFor()
  // What arrives in the open list is not read until the guest closes it.
  const [note] = await loadThreads()
  await admin.post(answerPath(note.id), { text: 'With pleasure' })
  await sheet.getByText('With pleasure').waitFor()
  await page.goto('about:blank')
  await admin.post(answerPath(pin.id), { text: 'Better now?' })
  await page.goto(event.share_url)
  await line.getByText('Your photographer answered 2 requests').waitFor()
  expect(await page.locator('html.note-answered').count()).toBe(1)
  await show.tap()
  await sheet.getByText('With pleasure').waitFor()
  await close()
  await line.getByText('Your photographer answered a request').waitFor()
  expect(await page.locator('html.note-answered').count()).toBe(0)
  await line.getByRole('button', { name: 'Close' }).tap()
  await show.waitFor({ state: 'detached' })

  // The link of a mail.
  await waitForHistory(page)
  await page.goto(`${event.share_url}?photo=${photoId}`)
  await sheet.getByText('Better now?').waitFor()
  await page.goto(event.share_url)
  const answers = page.waitForResponse(/threads\?answered/)
  await page.getByRole('button', { name: 'Pick Photo 1 of' }).tap()
  await answers
  expect([await badges.count(), await show.count()]).toEqual([0, 0])
  expect(pageErrors).toEqual([])
})
