import { expect, test } from 'vitest'
import { adminAppForFile, notice } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../support/fixtures/events.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const adminApp = await adminAppForFile(service)
const { admin, api } = service

test('a package by a preset, then a guest submits, the picks are accepted, and opened again with fewer', async () => {
  const event = await createEvent(api, { event_type: 'wedding', allow_favorites: false })
  const ids = await uploadPhotos(api, event.id, 4)
  const { page, visit, pageErrors } = await adminApp.open('/settings/types')
  await page.getByRole('button', { name: 'New package' }).click()
  await page.getByLabel('Name').fill('Album 2')
  await page.getByLabel('Event type').selectOption('Wedding')
  await page.getByLabel('Purpose').fill('Album')
  await page.getByLabel('Included').fill('2')
  await page.getByLabel('At most').fill('4')
  await page.getByLabel('Each extra photo').fill('12 €')
  await page.getByLabel('Wait until I accept them').check()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /^Album 2 / }).waitFor()
  await expectNoAxeFindings(page)

  await visit(`/events/${event.id}/picks`)
  await page.getByRole('button', { name: 'Package…' }).click()
  await page.getByText('picks (hearts), which are turned off').waitFor()
  await page.getByRole('button', { name: 'Turn on picks' }).click()
  await page.getByText('picks (hearts), which are turned off').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Purpose').inputValue()).toBe('Album')
  expect(await page.getByLabel('Preset').locator('option:checked').textContent()).toBe('Album 2')
  await page.getByLabel('Due date').fill('2030-05-04')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await notice(page, 'Package saved.').waitFor()
  await page.locator('.package-summary', { hasText: 'Album' }).getByText('each extra: 12 €').waitFor()
  const { package: saved } = (await api.get(`/api/v1/events/${event.id}/package`)).body
  expect(saved).toMatchObject({ purpose: 'Album', included: 2, maximum: 4, due_on: '2030-05-04' })
  expect(saved.time_zone).toBe(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone))

  const guest = await enterAsGuest(service, event)
  const gallery = (rest: string) => `/api/gallery/${event.slug}${rest}`
  await guest.post(gallery('/guest'), { name: 'Ana' })
  for (const id of ids.slice(0, 3)) {
    await guest.post(gallery(`/photos/${id}/feedback`), { feedback_type: 'favorite' })
  }
  const ana = page.getByRole('row', { name: /Ana/ })
  await ana.getByText('3 · 1 extra').waitFor()
  await ana.getByText('Open', { exact: true }).waitFor()
  await ana.getByText('due May 4, 2030').waitFor()
  await ana.getByText('no email address').waitFor()

  await guest.post(gallery('/selection'), { note: 'All my favorites' })
  await ana.getByText('Sent', { exact: true }).waitFor()
  await expectNoAxeFindings(page)
  await guest.post(gallery('/round/reopening'), { message: 'One too many' })
  await ana.getByText('One too many').waitFor()
  await page.locator('.live-last').getByText('Ana asks to open the picks again').waitFor()
  await ana.getByRole('button', { name: 'More for Ana' }).click()
  await page.getByRole('menuitem', { name: 'Accept' }).click()
  await ana.getByText('Locked', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Copy for another app' }).click()
  await page.getByRole('menuitem', { name: /^Locked selection of round 1: Ana/ }).waitFor()
  await page.keyboard.press('Escape')

  await ana.getByRole('button', { name: 'Open again: picks of Ana' }).click()
  await page.getByText('Shown in the gallery.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Open again', exact: true }).click()
  await page.getByText('This field is required.').waitFor()
  await page.getByLabel('Message to Ana').fill('Two fit on the page')
  await page.getByLabel('At most').fill('2')
  await page.getByText('Ana has picked 3 photos and sees “1 to remove”').waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Open again' }).click()
  await ana.getByText('Opened again').waitFor()
  await ana.getByText('Round 2').waitFor()
  await ana.getByText('3 · 1 to remove').waitFor()
  const [round] = (await admin.get(`/api/admin/events/${event.id}/rounds?current=true`)).body.rounds
  expect(round).toMatchObject({ number: 2, maximum: 2, message: 'Two fit on the page', due_on: '2030-05-04' })

  for (const id of ids.slice(0, 2)) {
    await guest.post(gallery(`/photos/${id}/feedback`), { feedback_type: 'favorite', set: false })
  }
  await ana.getByText('1 of 2').waitFor()
  await guest.post(gallery('/selection'), {})
  await ana.getByText('Sent', { exact: true }).waitFor()
  await ana.getByRole('button', { name: 'More for Ana' }).click()
  await page.getByRole('menuitem', { name: 'Mark as seen' }).waitFor()
  await page.getByRole('menuitem', { name: 'Difference…' }).click()
  const removed = page.locator('.difference img').first()
  await removed.waitFor()
  await expect.poll(() => removed.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await page.keyboard.press('Escape')

  const other = await enterAsGuest(service, event)
  await other.post(gallery(`/photos/${ids[3]}/feedback`), { feedback_type: 'favorite' })
  await ana.getByRole('button', { name: 'Accept the picks of Ana' }).click()
  await page.getByRole('button', { name: 'Copy for Lightroom (2 of all guests)' }).waitFor()
  await expectNoAxeFindings(page)

  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('option', { name: /^Locked selection of round 1: Ana/ }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Package…' }).click()
  await page.getByRole('button', { name: 'Remove package…' }).click()
  await page.getByText('Selections and receipts stay.').waitFor()
  await page.getByRole('button', { name: 'Remove package', exact: true }).click()
  await page.locator('.package-summary').waitFor({ state: 'detached' })
  await ana.getByRole('link', { name: 'Receipt for Ana' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('on a phone, picks that exist become rounds, and the lines fit', async () => {
  const event = await createEvent(api, { event_type: 'birthday' })
  const [first] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  const gallery = (rest: string) => `/api/gallery/${event.slug}${rest}`
  await guest.post(gallery('/guest'), { name: 'Ben' })
  await guest.post(gallery(`/photos/${first}/feedback`), { feedback_type: 'favorite' })
  const { page, pageErrors } = await adminApp.open(`/events/${event.id}/picks`, { device: 'phone' })
  await page.getByRole('button', { name: 'Package…' }).tap()
  await page.getByText('1 guest has picked photos; these picks become round 1.').waitFor()
  await page.getByLabel('Purpose').fill('Portrait')
  await page.getByLabel('Included').fill('5')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByText('1 of 5').waitFor()
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await expectNoAxeFindings(page)
  expect(pageErrors).toEqual([])
})
