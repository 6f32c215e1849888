import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { adminAppForFile, notice, withoutResponses } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { picture } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const { admin } = service
const adminApp = await adminAppForFile(service)

const settings = async () => (await admin.get('/api/admin/settings')).body
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const changes: Array<[string, Array<{ label: string; key: string; to: string | number | boolean }>]> = [
  [
    'general',
    [
      { label: 'Days until a new gallery expires', key: 'general_default_expiration_days', to: 45 },
      { label: 'Email language', key: 'general_default_language', to: 'de' },
      { label: 'Archive events when they expire', key: 'general_auto_archive_on_expiry', to: true },
    ],
  ],
  [
    'events',
    [
      { label: 'Photo order in events created by the API', key: 'event_default_photo_sort', to: 'filename_asc' },
      { label: 'Welcome message', key: 'event_default_welcome_message', to: '**Thank you**\nfor the day' },
      { label: 'Longest edge of downloads in pixels', key: 'event_default_download_max_px', to: 2048 },
      { label: 'Require approval for comments', key: 'event_default_moderate_comments', to: false },
    ],
  ],
  [
    'galleries',
    [
      { label: 'Text', key: 'watermark_text', to: 'Studio Lumen' },
      { label: 'Position', key: 'watermark_style', to: 'corner' },
      { label: 'Opacity in percent', key: 'watermark_opacity', to: 40 },
    ],
  ],
  ['keeping', [{ label: 'Days to keep the activity log', key: 'activity_kept_days', to: 30 }]],
  ['integrations', [{ label: 'Days to keep webhook deliveries', key: 'webhook_delivery_keep_days', to: 12 }]],
]

test('saved values are shown on the next visit, and an emptied value is none', async () => {
  const { page, visit, pageErrors } = await adminApp.open(null)
  for (const [group, fields] of changes) {
    await visit(`/settings/${group}`)
    const before = await settings()
    for (const { label, to, key } of fields) {
      expect(before[key]).not.toBe(to)
      const field = page.getByLabel(label, { exact: true })
      if (typeof to === 'boolean') await field.setChecked(to)
      else if ((await field.evaluate((one) => one.tagName)) === 'SELECT') await field.selectOption(String(to))
      else await field.fill(String(to))
    }
    await page.getByText('Unsaved changes').waitFor()
    await save(page)
    await notice(page, 'Saved').waitFor()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    const changed = Object.fromEntries(fields.map(({ key, to }) => [key, to]))
    expect(await settings()).toEqual({ ...before, ...changed })

    await visit(`/settings/${group}`)
    for (const { label, to } of fields) {
      const field = page.getByLabel(label, { exact: true })
      if (typeof to === 'boolean') expect(await field.isChecked()).toBe(to)
      else expect(await field.inputValue()).toBe(String(to))
    }
  }
  await visit('/settings/events')
  await page.getByLabel('Longest edge of downloads in pixels').fill('')
  await save(page)
  await expect.poll(async () => (await settings()).event_default_download_max_px).toBeNull()
  expect(pageErrors).toEqual([])
})

test('file types are chosen, and at least one is required', async () => {
  const before = await settings()
  const { page } = await adminApp.open('/settings/general', { locale: 'de-DE' })
  const saveButton = page.getByRole('button', { name: 'Speichern', exact: true })
  for (const type of ['JPEG', 'PNG', 'WebP']) await page.getByLabel(type).first().uncheck()
  await saveButton.click()
  await page.getByText('Wählen Sie mindestens einen Dateityp aus.').waitFor()
  await expectNoAxeFindings(page)
  expect(await settings()).toEqual(before)
  for (const type of ['MOV', 'PNG', 'JPEG']) await page.getByLabel(type).check()
  await saveButton.click()
  await expect.poll(async () => (await settings()).general_allowed_file_types).toBe('jpg,jpeg,png,mov')
})

test('a gallery shows name, logo, color and links of the studio', async () => {
  const event = await createEvent(service.api)
  await uploadPhotos(service.api, event.id, 2)
  const { page, visit, pageErrors } = await adminApp.open('/settings/branding')
  await page.getByLabel('Studio name').fill('Studio Lumen')
  const buffer = Buffer.from('This is no picture')
  await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await save(page)
  await page.locator('.wrong').first().waitFor()
  expect(await page.locator('.wrong').count()).toBe(1)
  await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await picture('png') })
  await page.getByRole('img', { name: 'New logo, not saved yet' }).waitFor()
  await page.getByLabel('Use a custom color').check()
  await page.getByLabel('Color', { exact: true }).fill('#225577')
  await page.getByLabel('Imprint').fill('https://studio.example/imprint')
  await page.getByLabel('Privacy notice').fill('https://studio.example/privacy')
  await page.getByRole('link', { name: 'Galleries', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await save(page)
  await notice(page, 'Saved').waitFor()
  await page.getByRole('img', { name: 'Your logo' }).waitFor()
  await expectNoAxeFindings(page)

  const guest = await adminApp.openBlankPage({ device: 'phone' })
  await guest.page.goto(event.share_url)
  await waitForScript(guest.page, true)
  await guest.page.getByText('Studio Lumen').first().waitFor({ state: 'attached' })
  expect(await guest.page.locator('img[src*="logo"]').first().evaluate(isThere)).toBe(true)
  expect(await guest.page.getByRole('link', { name: 'Imprint' }).getAttribute('href')).toBe(
    'https://studio.example/imprint',
  )
  expect(guest.pageErrors).toEqual([])

  await visit('/settings/branding')
  expect(await page.getByLabel('Studio name').inputValue()).toBe('Studio Lumen')
  await page.getByLabel('Imprint').fill('javascript:alert(1)')
  await save(page)
  await page.getByText('Must start with http:// or https://.').waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Remove logo' }).click()
  await notice(page, 'Logo removed').waitFor()
  expect((await admin.get('/api/admin/branding')).body).toMatchObject({ logo: null, studio_name: 'Studio Lumen' })
  expect(withoutResponses(pageErrors)).toEqual([])
})

test('global categories and event types are created, changed, and deleted unless an event uses them', async () => {
  await createEvent(service.api)
  const { page, visit } = await adminApp.open('/settings/categories')
  const dialog = page.getByRole('dialog')
  const question = page.getByRole('alertdialog')
  await page.getByRole('button', { name: 'New category' }).click()
  await dialog.getByLabel('Name').fill('Rehearsal')
  await dialog.getByLabel('Allow downloads of its photos').uncheck()
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Name').press('Enter')
  await notice(page, 'Saved').waitFor()
  await page
    .getByRole('row', { name: /Rehearsal/ })
    .getByText('Not allowed')
    .waitFor()
  await page.getByRole('button', { name: 'Edit Rehearsal' }).click()
  await dialog.getByLabel('Name').fill('Chapel')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Chapel/ }).waitFor()
  await page.getByRole('button', { name: 'Delete Chapel', exact: true }).click()
  await question.getByText('0 photos').waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row', { name: /Chapel/ }).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')

  await visit('/settings/types')
  await page.getByRole('button', { name: 'New event type' }).click()
  await dialog.getByLabel('Name').fill('Concert')
  await dialog.getByLabel('Address prefix').fill('Not Like This')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('.wrong').waitFor()
  expect(await dialog.getByLabel('Address prefix').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Address prefix').fill('concert')
  await dialog.getByLabel('Emoji').fill('🎸')
  await dialog.getByLabel('Theme').selectOption('noir')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /🎸 Concert concert Noir/ }).waitFor()
  await page.getByRole('button', { name: 'Delete Concert' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await notice(page, 'Event type deleted').waitFor()
  await page.getByRole('button', { name: 'Delete Wedding' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.locator('.notice.alarm').waitFor()
  await page.getByRole('row', { name: /Wedding/ }).waitFor()
})

const isThere = (image: Element): boolean => (image as HTMLImageElement).naturalWidth > 0
