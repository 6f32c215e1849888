import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createEvent, uploadPhotos } from '../fixtures/events.ts'
import { readArchiveFiles } from '../media/read-archive.ts'
import type { TestService } from '../service/test-service.ts'
import { expectNoAxeFindings } from './axe.ts'
import { type Device, type GuestChromium, measureSidewaysOverflow, waitForScript } from './guest-page.ts'
import { hasFocus, type InputMethod } from './input-methods.ts'
import { sendNow } from './send-now.ts'

type JourneyOptions = {
  device: Device
  hand: (page: Page) => InputMethod
  giveFourStars: (page: Page, hand: InputMethod) => Promise<void>
}

const password = 'seaside-evening'
const photoCount = 5

/** Runs a whole visit of a guest, from the password to the download of a ZIP. axe must find nothing at each check. */
export async function runGuestJourney(
  service: TestService,
  guests: GuestChromium,
  options: JourneyOptions,
): Promise<void> {
  const { api } = service
  const event = await createEvent(api, { require_password: true, password, default_photo_sort: 'upload_date_asc' })
  const ids = await uploadPhotos(api, event.id, photoCount)
  const { page, pageErrors } = await guests.open(event.share_url, options.device)
  const hand = options.hand(page)
  const { button, link, photo } = createLocators(page)
  const dialog = page.locator('dialog[open]')
  const expectAccessible = async () => {
    expect(await measureSidewaysOverflow(page)).toBe(0)
    await expectNoAxeFindings(page)
  }

  await expectAccessible()
  await hand.write(page.getByLabel('Password'), password)
  await hand.press(button('Show password'))
  expect(await page.getByLabel('Password').inputValue()).toBe(password)
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('text')
  await hand.press(button('Open gallery'))
  await waitForScript(page)
  await expectAccessible()

  await hand.press(button(`Pick Photo 2 of ${photoCount}`))
  await link('1 pick').waitFor()
  await hand.press(photo(ids[0]))
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
  await viewer.getByText(`1 / ${photoCount}`).waitFor()
  await expectAccessible()
  await hand.press(viewer.getByRole('button', { name: 'Pick', exact: true }))
  await options.giveFourStars(page, hand)
  await hand.press(viewer.getByRole('button', { name: /^Comment/ }))
  await dialog.getByLabel('Write a comment').waitFor()
  await expectAccessible()
  await hand.write(dialog.getByLabel('Write a comment'), 'This one, large, for the hall.')
  await hand.press(dialog.getByRole('button', { name: 'Send' }))
  await dialog.getByRole('status').getByText('Comment sent').waitFor()
  await expectAccessible()
  await close(hand, dialog)
  await close(hand, viewer)

  await hand.press(link('2 picks'))
  await locatePhoto(page, 'Photo 2 of 2').waitFor()
  // The address follows when the browser has left the entry of the viewer.
  await expect.poll(() => new URL(page.url()).search).toBe('?filter=favorited')
  await expectAccessible()
  await hand.press(button('Send to photographer'))
  await dialog.getByText('2 photos will be sent to your photographer.').waitFor()
  // On a phone, the keyboard would cover the dialog.
  await expect.poll(() => hasFocus(dialog.getByLabel('Message'))).toBe(options.device === 'desktop')
  await expectAccessible()
  await hand.write(dialog.getByLabel('Message'), 'Thank you!')
  await hand.press(dialog.getByRole('button', { name: 'Send my picks' }))
  await page.getByText('Sending 2 picks…').waitFor()
  await expectAccessible()
  await sendNow(page)
  await page.getByText('Selection 1 sent: 2 photos.').waitFor()

  await hand.press(photo(ids[1]))
  const one = await downloadWith(page, () => hand.press(viewer.getByRole('link', { name: 'Save photo' })))
  expect(one.name).toBe('photo-2.jpg')
  expect(one.bytes.length).toBeGreaterThan(100)
  await close(hand, viewer)

  await hand.press(button('More'))
  await expectAccessible()
  await hand.press(button('Select photos'))
  for (const id of ids.slice(0, 2)) await hand.press(photo(id))
  const bar = page.getByRole('region', { name: 'Selected photos' })
  await bar.getByText('2 selected').waitFor()
  await expectAccessible()
  await hand.press(bar.getByRole('button', { name: 'Download' }))
  const zipLink = dialog.getByRole('link', { name: /^Download ZIP/ })
  await zipLink.waitFor()
  await expectAccessible()
  const zip = await downloadWith(page, () => hand.press(zipLink))
  expect([...readArchiveFiles(zip.bytes).keys()].sort()).toEqual(['photo-1.jpg', 'photo-2.jpg'])

  expect(await loadSelection(service, event.id)).toEqual({ picks: [ids[0], ids[1]], note: 'Thank you!' })
  expect(pageErrors).toEqual([])
}

const createLocators = (page: Page) => ({
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  link: (name: string) => page.getByRole('link', { name, exact: true }),
  photo: (id: number | undefined) => page.locator(`[data-photo="${id}"]`),
})

const locatePhoto = (page: Page, name: string) => page.getByRole('img', { name, exact: true })

async function close(hand: InputMethod, dialog: Locator): Promise<void> {
  await hand.press(dialog.getByRole('button', { name: 'Close', exact: true }))
  await dialog.waitFor({ state: 'detached' })
}

async function downloadWith(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const downloadEvent = page.waitForEvent('download')
  await act()
  const download = await downloadEvent
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

async function loadSelection({ admin }: TestService, eventId: number) {
  const { body } = await admin.get(`/api/admin/events/${eventId}/selections`)
  const [{ photo_ids: picks, note }] = body.selections
  return { picks, note }
}
