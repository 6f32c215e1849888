import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeClean } from './axe.ts'
import { createEvent, uploadPhotos } from './events.ts'
import { type Device, type GuestChromium, sidewaysOverflow, untilScripted } from './guest-page.ts'
import type { Hand } from './hands.ts'
import type { TestService } from './test-service.ts'
import { filesInArchive } from './zip-reading.ts'

type Way = {
  device: Device
  hand: (page: Page) => Hand
  giveFourStars: (page: Page, hand: Hand) => Promise<void>
}

const password = 'seaside-evening'
const photoCount = 5

/** Runs a whole visit of a guest, from the password to the download of a ZIP. axe must find nothing in any state. */
export async function walkThrough(service: TestService, guests: GuestChromium, way: Way): Promise<void> {
  const { api } = service
  const event = await createEvent(api, { require_password: true, password, default_photo_sort: 'upload_date_asc' })
  const ids = await uploadPhotos(api, event.id, photoCount)
  const { page, complaints } = await guests.open(event.share_url, way.device)
  page.setDefaultTimeout(20_000)
  const hand = way.hand(page)
  const { button, link, photo } = partsOf(page)
  const dialog = page.locator('dialog[open]')
  const isAsItShouldBe = async () => {
    expect(await sidewaysOverflow(page)).toBe(0)
    await axeClean(page)
  }

  await isAsItShouldBe()
  await hand.write(page.getByLabel('Password'), password)
  await hand.press(button('Open the gallery'))
  await untilScripted(page)
  await isAsItShouldBe()

  await hand.press(button(`Pick Photo 2 of ${photoCount}`))
  await link('1 pick').waitFor()
  await hand.press(photo(ids[0]))
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
  await viewer.getByText(`1 / ${photoCount}`).waitFor()
  await isAsItShouldBe()
  await hand.press(viewer.getByRole('button', { name: 'Pick', exact: true }))
  await way.giveFourStars(page, hand)
  await hand.press(viewer.getByRole('button', { name: /^Comment/ }))
  await isAsItShouldBe()
  await hand.write(dialog.getByLabel('Write a comment'), 'This one, large, for the hall.')
  await hand.press(dialog.getByRole('button', { name: 'Send' }))
  await dialog.getByRole('status').getByText('Your comment is').waitFor()
  await isAsItShouldBe()
  await close(hand, dialog)
  await close(hand, viewer)

  await hand.press(link('2 picks'))
  await photoNamed(page, 'Photo 2 of 2').waitFor()
  expect(new URL(page.url()).search).toBe('?filter=favorited')
  await isAsItShouldBe()
  await hand.press(button('Send to the photographer'))
  await dialog.getByText('2 photos go to your photographer.').waitFor()
  await isAsItShouldBe()
  await hand.write(dialog.getByLabel('A word to it'), 'Thank you!')
  await hand.press(dialog.getByRole('button', { name: 'Send my picks' }))
  await dialog.getByText('Sent: selection 1, 2 photos.').waitFor()
  await isAsItShouldBe()
  await hand.press(dialog.getByRole('button', { name: 'Done' }))

  await hand.press(photo(ids[1]))
  const one = await downloadBy(page, () => hand.press(viewer.getByRole('link', { name: 'Save this photo' })))
  expect(one.name).toBe('photo-2.jpg')
  expect(one.bytes.length).toBeGreaterThan(100)
  await close(hand, viewer)

  await hand.press(button('More'))
  await isAsItShouldBe()
  await hand.press(button('Select photos'))
  for (const id of ids.slice(0, 2)) await hand.press(photo(id))
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('2 selected').waitFor()
  await isAsItShouldBe()
  await hand.press(bar.getByRole('button', { name: 'Download' }))
  const zipLink = dialog.getByRole('link', { name: /^Download ZIP/ })
  await zipLink.waitFor()
  await isAsItShouldBe()
  const zip = await downloadBy(page, () => hand.press(zipLink))
  expect([...filesInArchive(zip.bytes).keys()].sort()).toEqual(['photo-1.jpg', 'photo-2.jpg'])

  expect(await marksAndSelectionsOf(service, event.id)).toEqual({ picks: [ids[0], ids[1]], note: 'Thank you!' })
  expect(complaints).toEqual([])
}

const partsOf = (page: Page) => ({
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  link: (name: string) => page.getByRole('link', { name, exact: true }),
  photo: (id: number | undefined) => page.locator(`[data-photo="${id}"]`),
})

const photoNamed = (page: Page, name: string) => page.getByRole('img', { name, exact: true })

async function close(hand: Hand, dialog: Locator): Promise<void> {
  await hand.press(dialog.getByRole('button', { name: 'Close', exact: true }))
  await dialog.waitFor({ state: 'detached' })
}

async function downloadBy(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download')
  await act()
  const download = await coming
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

async function marksAndSelectionsOf({ admin }: TestService, eventId: number) {
  const { body } = await admin.get(`/api/admin/events/${eventId}/selections`)
  const [{ photo_ids: picks, note }] = body.selections
  return { picks, note }
}
