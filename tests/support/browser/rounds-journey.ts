import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createEvent, uploadPhotos } from '../fixtures/events.ts'
import type { TestService } from '../service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../webhooks/webhooks.ts'
import { openAdminApp } from './admin-page.ts'
import { type GuestChromium, waitForHistory, waitForScript } from './guest-page.ts'
import { sendNow } from './send-now.ts'

const heart = (page: Page, number: number) => page.getByRole('button', { name: `Pick Photo ${number} of` })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const pill = (page: Page) => page.locator('.my-picks').textContent()

/**
 * A client on a phone and a photographer on a laptop agree on an album in two rounds. `readAt`: services that must show
 * the same receipts.
 */
export async function agreeOnAlbum(browsers: GuestChromium, service: TestService, readAt: TestService[]) {
  await createTestWebhook(service, { events: ['selection.submitted', 'selection.reopened'] })
  const event = await createEvent(service.api, { default_photo_sort: 'upload_date_asc' })
  const ids = await uploadPhotos(service.api, event.id, 30)
  const { page: laptop } = await openAdminApp(browsers, service.url, `/events/${event.id}/picks`)
  await button(laptop, 'Package…').click()
  await laptop.getByLabel('Purpose').fill('Album')
  await laptop.getByLabel('Included').fill('20')
  await laptop.getByLabel('Each extra photo').fill('12 €')
  await button(laptop, 'Save').click()
  await laptop.locator('.package-summary', { hasText: 'Album' }).waitFor()

  const { page: phone } = await browsers.open(event.share_url, 'phone')
  await waitForScript(phone)
  await heart(phone, 1).tap()
  await expect.poll(() => pill(phone)).toBe('Album: 1 of 20')
  const guest = phone.context().request
  const gallery = (rest: string) => `${service.url}/api/gallery/${event.slug}${rest}`
  const give = (id: number | undefined, data: object) => guest.post(gallery(`/photos/${id}/feedback`), { data })
  for (const id of ids.slice(3, 25)) {
    expect((await give(id, { feedback_type: 'favorite', set: true })).status()).toBe(200)
  }
  await expect.poll(async () => (await (await guest.get(gallery('/round'))).json()).round.count).toBe(23)
  await phone.reload()
  await waitForScript(phone)
  await expect.poll(() => pill(phone)).toBe('Album: 23 · 3 extra, 12 € each')

  // A pick that waits for a connection while the picks are sent on another device.
  await phone.route('**/feedback', (route) => route.abort())
  await heart(phone, 2).tap()
  const sent = await (await guest.post(gallery('/selection'), { data: { guest_name: 'Ana', note: 'For us' } })).json()
  expect(sent).toMatchObject({ state: 'locked', number: 1, count: 23, extra_count: 3 })
  const late = await Promise.all(
    ids
      .slice(3, 15)
      .map((id, index) =>
        give(id, index % 2 ? { feedback_type: 'favorite', set: false } : { feedback_type: 'rating', rating: 5 }),
      ),
  )
  for (const response of late) {
    expect([response.status(), (await response.json()).code]).toEqual([409, 'SELECTION_LOCKED'])
  }
  await phone.unroute('**/feedback')
  await waitForHistory(phone)
  await phone.reload()
  await waitForScript(phone)
  const sheet = phone.getByRole('dialog')
  await sheet.getByText('1 change not sent').waitFor()
  await sheet.getByRole('button', { name: 'Close' }).tap()

  const row = laptop.getByRole('row', { name: /Ana/ })
  await row.getByText('Locked', { exact: true }).waitFor()
  await button(laptop, 'Open again: picks of Ana').click()
  await laptop.getByLabel('Message to Ana').fill('The album has 15 pages')
  await laptop.getByLabel('At most').fill('15')
  await button(laptop, 'Open again').click()
  await row.getByText('23 · 8 to remove').waitFor()

  await waitForHistory(phone)
  await phone.reload()
  await waitForScript(phone)
  await sheet.getByText('1 change does not fit').waitFor()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect.poll(() => pill(phone)).toBe('Album: 23, cut to 15: 8 to remove')
  for (let number = 1; number <= 8; number++) await heart(phone, number).tap()
  await expect.poll(() => pill(phone)).toBe('Album: 15 of 15')
  await give(ids[20], { feedback_type: 'rating', rating: 4 })
  await expect.poll(async () => (await (await guest.get(gallery('/round'))).json()).round.count).toBe(15)
  await button(phone, 'Send again to photographer').tap()
  await sheet.getByText('Then your picks are locked.').waitFor()
  await button(phone, 'Send my picks').tap()
  await sendNow(phone)
  await phone
    .locator('.sent-note')
    .filter({ hasText: /^Selection 2 sent/ })
    .waitFor()
  await row.getByText('Locked', { exact: true }).waitFor()

  const { selections } = (await service.admin.get(`/api/admin/events/${event.id}/selections`)).body
  const [second, first] = selections as Array<{ id: number; number: number; content_sha256: string }>
  for (const selection of [first, second]) {
    const path = `/api/admin/events/${event.id}/selections/${selection?.id}/receipt`
    const own = await (await guest.get(gallery(`/selections/${selection?.number}/receipt`))).body()
    for (const { admin } of readAt) expect((await admin.get(path)).bytes.equals(own)).toBe(true)
  }
  const difference = (await service.admin.get(`/api/admin/events/${event.id}/selections/${second?.id}/difference`))
    .body as { added: unknown[]; removed: Array<{ id: number }>; changed: Array<{ id: number; after: object }> }
  expect(difference.added).toEqual([])
  expect(difference.removed.map(({ id }) => id)).toEqual([ids[0], ...ids.slice(3, 10)])
  expect(difference.changed).toMatchObject([{ id: ids[20], before: { rating: null }, after: { rating: 4 } }])

  const announced = listAnnouncedOf(service, event.id) as Array<{ type: string; data: Announced }>
  expect(announced.map(({ type, data }) => [type, data.selection?.content_sha256 ?? data.round?.number])).toEqual([
    ['selection.submitted', first?.content_sha256],
    ['selection.reopened', 2],
    ['selection.submitted', second?.content_sha256],
  ])
  const receipt = await (await guest.get(gallery('/selections/2/receipt'))).text()
  expect(receipt).toContain(second?.content_sha256)
}

type Announced = { selection?: { content_sha256: string }; round?: { number: number } }
