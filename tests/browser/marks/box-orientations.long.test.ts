import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openAdminApp } from '../../support/browser/admin-page.ts'
import { chromiumForFile, waitForScript } from '../../support/browser/guest-page.ts'
import { expectOnRed, findRed, redPicture, upright } from '../../support/browser/red-area.ts'
import { swipe } from '../../support/browser/touch-gestures.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const guests = await chromiumForFile()

/** How a camera has stored the upright picture with each orientation. */
const stored: Array<(picture: Buffer) => Promise<Buffer>> = [
  async (picture) => picture,
  (picture) => sharp(picture).flop().toBuffer(),
  (picture) => sharp(picture).rotate(180).toBuffer(),
  (picture) => sharp(picture).flip().toBuffer(),
  async (picture) =>
    sharp(await sharp(picture).rotate(90).toBuffer())
      .flop()
      .toBuffer(),
  (picture) => sharp(picture).rotate(270).toBuffer(),
  async (picture) =>
    sharp(await sharp(picture).rotate(270).toBuffer())
      .flop()
      .toBuffer(),
  (picture) => sharp(picture).rotate(90).toBuffer(),
]

test('a box drawn on a phone lies on the original and on the printed page, in each of eight orientations', async () => {
  const event = await createEvent(api, { allow_annotations: true })
  const picture = await redPicture()
  const printed = await openAdminApp(guests, service.url, '/')
  for (const [index, store] of stored.entries()) {
    const orientation = index + 1
    const original = await sharp(await store(picture))
      .withMetadata({ orientation })
      .jpeg({ quality: 95 })
      .toBuffer()
    // The test itself must store what turns upright again.
    const turned = await sharp(original).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect([turned.info.width, turned.info.height]).toEqual([upright.width, upright.height])
    const file = Buffer.from(original)
    const { body } = await api.upload(event.id, file, { name: `orientation-${orientation}.jpg` })
    const { page } = await guests.open(`${event.share_url}?photo=${body.id}`, 'phone')
    await waitForScript(page, true)
    await page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('.pswp--open .pswp__img:not(.pswp__img--placeholder)')
      return image?.complete && /[?&]w=/.test(image.currentSrc)
    })
    await page.getByRole('button', { name: 'Mark a place on the photo' }).tap()
    const { from, to } = await findRed(page)
    await swipe(page, from, to)
    await page.getByLabel('What should be changed here?').fill(`Orientation ${orientation}`)
    await page.locator('dialog[open]').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: /^Box 1 of 1/ }).waitFor()
    const path = `/api/admin/events/${event.id}/threads?photo_id=${body.id}`
    const [thread] = (await admin.get(path)).body.threads
    expectOnRed(thread)
    const part = (value: number) => value / 1_000_000
    const box = { x: part(thread.x), y: part(thread.y), w: part(thread.w), h: part(thread.h) }
    expect(redPartOf(turned, box)).toBeGreaterThan(0.98)

    await printed.page.goto(`${service.url}/admin/events/${event.id}/todo/print?photo=${body.id}`)
    await printed.page.locator('.marked-picture img').evaluate((image: HTMLImageElement) => image.decode())
    const shown = await findRed(printed.page, '.marked-picture img')
    const [left, top, width, height] = await printed.page.locator('.picture-box').evaluate((mark) => {
      const { x, y, width, height } = mark.getBoundingClientRect()
      return [x, y, width, height]
    })
    const size = await printed.page
      .locator('.marked-picture img')
      .evaluate((image) => image.getBoundingClientRect().width)
    const errors = [left - shown.from.x, top - shown.from.y, left + width - shown.to.x, top + height - shown.to.y]
    for (const error of errors) expect(Math.abs(error) / size).toBeLessThan(0.005)
    await page.context().close()
  }
})

type Pixels = { data: Buffer; info: { width: number; height: number; channels: number } }

/** Returns which part of the box is red in the decoded original. */
function redPartOf({ data, info }: Pixels, { x, y, w, h }: Record<'x' | 'y' | 'w' | 'h', number>): number {
  let [all, reds] = [0, 0]
  for (let row = Math.ceil(y * info.height); row < (y + h) * info.height; row++) {
    for (let column = Math.ceil(x * info.width); column < (x + w) * info.width; column++) {
      const at = (row * info.width + column) * info.channels
      all++
      if ((data[at] ?? 0) > 200 && (data[at + 1] ?? 0) < 90) reds++
    }
  }
  return reds / all
}
