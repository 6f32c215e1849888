import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { adminAppForFile, fillSignIn, waitUntilRendered } from '../support/browser/admin-page.ts'
import { createFilesOnDisk } from '../support/browser/drop-files.ts'
import { chooseFromMenu, chromiumForFile, devices, waitForScript } from '../support/browser/guest-page.ts'
import { listUnreachableControls, setTextSize } from '../support/browser/reachable-controls.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../support/fixtures/events.ts'
import { newPerson } from '../support/fixtures/people.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const guests = await chromiumForFile()
const adminApp = await adminAppForFile(service)

const count = 30
const nameOf = (index: number) => `DSC_${index + 100}.JPG`

type Photo = { id: number; content_hash: string; like_count: number; comment_count: number }
type Window = { device: 'phone' | 'desktop'; options: BrowserContextOptions; textPx: number }

const windows: Array<[string, Window]> = [
  ['a phone', { device: 'phone', options: {}, textPx: 16 }],
  ['a desktop', { device: 'desktop', options: {}, textPx: 16 }],
  [
    'a phone with large text',
    { device: 'phone', options: { ...devices.phone, viewport: { width: 360, height: 740 } }, textPx: 26 },
  ],
]

const photosOf = async ({ id }: TestEvent): Promise<Photo[]> =>
  (await api.get(`/api/v1/events/${id}/photos?limit=100&sort=filename`)).body.photos
const contentsOf = (photos: Photo[]) => photos.map(({ id, content_hash }) => [id, content_hash])
const marksOf = (photos: Photo[]) => photos.map(({ like_count, comment_count }) => [like_count, comment_count])

describe.each(windows)('on %s', (_name, { device, options, textPx }) => {
  const openAdmin = async (path: string | null) => {
    const opened = await adminApp.open(null, { device, ...options })
    await setTextSize(opened.page, textPx)
    if (path !== null) await opened.visit(path)
    return opened
  }
  const openGallery = async (event: TestEvent, prepare: (page: Page) => Promise<unknown> = async () => undefined) => {
    const guest = await guests.openBlankPage(service.url, device, options)
    await setTextSize(guest.page, textPx)
    await prepare(guest.page)
    await guest.page.goto(event.share_url)
    await waitForScript(guest.page)
    return guest
  }

  test('thirty retouched files replace photos in one answer, hearts and comments stay, and it is undone', async () => {
    const event = await createEvent(api, { moderate_comments: false })
    for (let index = 0; index < count; index++) {
      await api.upload(event.id, await jpeg({ seed: index }), { name: nameOf(index) })
    }
    const [first] = await photosOf(event)
    const guest = await enterAsGuest(service, event)
    const feedback = `/api/gallery/${event.slug}/photos/${first?.id}/feedback`
    await guest.post(feedback, { feedback_type: 'like' })
    await guest.post(feedback, { feedback_type: 'comment', comment_text: 'Brighter', guest_name: 'Ana' })
    const before = await photosOf(event)
    const files: Record<string, Uint8Array> = {}
    for (let index = 0; index < count; index++) files[nameOf(index)] = await jpeg({ seed: 100 + index })

    const { page, pageErrors } = await openAdmin(`/events/${event.id}`)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.locator('input[name="files"]').setInputFiles(await createFilesOnDisk(files))
    const panel = page.getByRole('region', { name: 'Uploads' })
    await panel.getByText('30 files have the name of a photo, with other content').waitFor()
    expect(await listUnreachableControls(panel)).toEqual([])
    await panel.getByRole('button', { name: 'Replace' }).click()
    await panel.getByText('30 replaced', { exact: true }).waitFor()
    const replaced = await photosOf(event)
    expect(replaced.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    for (const [index, { content_hash }] of replaced.entries())
      expect(content_hash).not.toBe(before[index]?.content_hash)
    expect(marksOf(replaced)).toEqual(marksOf(before))
    expect(marksOf(replaced)[0]).toEqual([1, 1])
    await panel.getByRole('button', { name: 'Undo 30 replacements' }).click()
    await page.getByText('The earlier files of 30 photos are back.').waitFor()
    expect(contentsOf(await photosOf(event))).toEqual(contentsOf(before))
    expect(pageErrors).toEqual([])
  })

  test('a guest sends picks with a message, closes the menu beside it, and saves the picks where phones can', async () => {
    const event = await createEvent(api, { header_style: 'minimal' })
    for (let seed = 1; seed <= 27; seed++) await api.upload(event.id, await jpeg({ seed }), { name: nameOf(seed) })
    const { page, pageErrors } = await openGallery(event, recordShareSheet)
    for (const number of [1, 2]) await page.getByRole('button', { name: `Pick Photo ${number} of 27` }).click()

    await page.getByRole('button', { name: 'More', exact: true }).click()
    const menu = page.locator('#menu')
    await menu.waitFor()
    const { y: top = 0, height = 0 } = (await menu.boundingBox()) ?? {}
    await page.mouse.click(60, top + height + 30)
    await menu.waitFor({ state: 'hidden' })
    expect(await page.locator('.viewer').count()).toBe(0)

    await page.getByRole('button', { name: 'Send to photographer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Message').fill('Number 2 in black and white, please')
    expect(await listUnreachableControls(dialog)).toEqual([])
    await dialog.getByRole('button', { name: 'Send my picks' }).click()
    await page.getByText('Selection 1 sent: 2 photos.').waitFor()
    const { body } = await admin.get(`/api/admin/events/${event.id}/selections`)
    expect(body.selections).toMatchObject([{ count: 2, note: 'Number 2 in black and white, please' }])

    await chooseFromMenu(page, 'Download…')
    await dialog.getByText('My picks (2)').click()
    await dialog.getByText('Download ZIP').waitFor()
    // Only devices that are used by touch save photos by their share sheet.
    const load = dialog.getByRole('button', { name: 'Load the photos' })
    expect(await load.count()).toBe(device === 'phone' ? 1 : 0)
    if (device === 'phone') {
      await load.click()
      await dialog.getByRole('button', { name: 'Save 2 photos' }).click()
      await dialog.getByText('Done. All photos went to the app that you chose.').waitFor()
      expect(await page.evaluate(() => Reflect.get(window, 'shared'))).toEqual(['image/jpeg', 'image/jpeg'])
    }
    expect(pageErrors).toEqual([])
  })

  test('an invitation leads to the first sign-in', async () => {
    const { username, email } = newPerson()
    const { page } = await openAdmin('/people')
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('User name').fill(username)
    await dialog.getByLabel('Email address').fill(email)
    await dialog.getByRole('button', { name: 'Invite person' }).click()
    const link = await dialog.locator('pre').innerText()

    const invited = await guests.openBlankPage(service.url, device, options)
    await setTextSize(invited.page, textPx)
    await invited.page.goto(link)
    await invited.page.getByLabel('Password', { exact: true }).fill('chosen by myself')
    await invited.page.getByLabel('Repeat password').fill('chosen by myself')
    await invited.page.getByRole('button', { name: 'Save password' }).click()
    await invited.page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(invited.page, { username, password: 'chosen by myself' })
    await waitUntilRendered(invited.page)
    await invited.page.getByRole('heading', { name: 'Overview' }).waitFor()
  })
})

/** This Chromium has no share sheet, so a fake one records the types of the files that it gets. */
const recordShareSheet = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shared: string[] = []
    const share = async ({ files = [] }: ShareData) => void shared.push(...files.map(({ type }) => type))
    Object.assign(window, { shared })
    Object.assign(Navigator.prototype, { canShare: () => true, share })
  })
