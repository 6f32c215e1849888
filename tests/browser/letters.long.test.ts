import { expect, test } from 'vitest'
import { adminAppForFile, notice } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings, listAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow, waitForHistory, watchShifts } from '../support/browser/guest-page.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { mailServerForFile } from '../support/network/mail-server.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const service = await serviceForFile({ environment: { SMTP_URL: mailServer.url } })
const { api, admin } = service
const adminApp = await adminAppForFile(service)
const guests = await chromiumForFile()
const hello = { en: 'Your wedding is here.', de: 'Ihre Hochzeit ist da.' }

test('texts are edited and previewed in both languages, and a wrong variable is named', async () => {
  await admin.put('/api/admin/settings', { branding_studio_name: 'Studio Lumen', branding_accent: '#ffd34d' })
  const { page, visit } = await adminApp.open(null)
  await visit('/settings/letters')
  await expectNoAxeFindings(page)
  for (const [language, text] of Object.entries(hello)) {
    await page.getByRole('combobox', { name: 'Language' }).selectOption(language)
    await page.getByRole('button', { name: 'Edit “Gallery ready”' }).click()
    const field = page.getByRole('textbox', { name: 'Text', exact: true })
    await field.fill(`{greting}\n\n${text}\n\n{link}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('{greting} cannot stand here.').waitFor()
    await field.fill(`{greeting}\n\n${text}\n\n{link}\n\n{password}\n\n{expiry}\n\n{signature}`)
    await page.getByRole('button', { name: 'Save and preview' }).click()
    await notice(page, 'Saved').waitFor()
    await page.frameLocator('iframe').getByText(text).waitFor()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await field.fill('Not saved')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
    await field.waitFor({ state: 'detached' })
  }
})

test('the texts of an event are shown in the language of its mails at first', async () => {
  const event = await createEvent(api, { language: 'de' })
  const { page } = await adminApp.open(`/events/${event.id}/edit#letters`)
  await page.getByText('Ihre Galerie ist bereit: {event}').waitFor()
  expect(await page.getByRole('combobox', { name: 'Language' }).last().inputValue()).toBe('de')
})

test.each(['en', 'de'] as const)('the received mail in %s fits narrow and wide, light and dark', async (language) => {
  const to = `${language}@example.com`
  const customer = { customer_name: 'Ana Berg', customer_email: to, language }
  await createEvent(api, { ...customer, require_password: true, password: 'tulips and roses' })
  const find = () => mailServer.received.find(({ recipients }) => recipients.includes(to))
  await expect.poll(find).toBeDefined()
  const { html = '', text = '' } = find() ?? {}
  expect(text).toContain(hello[language])
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 700]) {
      const { page } = await adminApp.openBlankPage({ viewport: { width, height: 700 }, colorScheme })
      await page.setContent(html)
      await page.getByText(hello[language]).waitFor()
      await page.getByText('tulips and roses').waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      // The button is yellow, so that its text must be black. The other rules are about pages with landmarks.
      const findings = await listAxeFindings(page)
      expect(findings.filter((one) => !/^(landmark-one-main|page-has-heading-one|region):/.test(one))).toEqual([])
      await page.close()
    }
  }
})

test('the edited mail is there to copy', async () => {
  const event = await createEvent(api, { language: 'de', customer_name: 'Ana Berg' })
  const { text } = (await admin.get(`/api/admin/events/${event.id}/gallery-email`)).body
  expect(text).toMatch(/^Hallo Ana Berg,\n\nIhre Hochzeit ist da\.\n\nGalerie öffnen:\n/)
})

test('a guest asks to be told when all photos are there, and an operator says so', async () => {
  const event = await createEvent(api)
  const { page: app, visit, pageErrors } = await adminApp.open(`/events/${event.id}/share`)
  await app.getByLabel('About how many photos').fill('80')
  await app.getByLabel('All photos by').fill('2031-05-12')
  await app.getByRole('button', { name: 'Show to guests' }).click()
  await notice(app, 'Guests now see when all photos will be there.').waitFor()
  await app.getByText('First look: 0 of about 80, by May 12, 2031').waitFor()
  await expectNoAxeFindings(app)

  const { page } = await guests.open(event.share_url, 'phone')
  await page.getByText('The first photos come soon').waitFor()
  await page.getByRole('button', { name: 'Tell me when it is complete' }).waitFor()
  await uploadPhotos(api, event.id, 2)
  const listShifts = await watchShifts(page)
  await page.reload()
  await page.getByText('2 of about 80 photos').waitFor()
  await page.getByText('complete by May 12, 2031').waitFor()
  await page.getByRole('button', { name: 'Tell me when it is complete' }).tap()
  const dialog = page.locator('dialog[open]')
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Email').fill('zoe')
  await dialog.getByRole('button', { name: 'Email me' }).tap()
  await dialog.getByText('Enter a valid email address.').waitFor()
  await dialog.getByLabel('Email').fill('zoe@example.com')
  await dialog.getByRole('button', { name: 'Email me' }).tap()
  await dialog.getByText('Confirm your address there').waitFor()
  await dialog.getByText('Close', { exact: true }).tap()
  await dialog.waitFor({ state: 'detached' })
  const asked = page.getByText('You get an email when all photos are here.')
  await asked.waitFor()
  expect([await listShifts(), await measureSidewaysOverflow(page)]).toEqual([[], 0])
  await waitForHistory(page)
  await page.reload()
  await asked.waitFor()
  const find = () => mailServer.received.find(({ recipients }) => recipients.includes('zoe@example.com'))
  await expect.poll(() => find()?.subject).toBe('Confirm your address: Ana & Ben')

  await visit(`/events/${event.id}`)
  await app.getByText('First look: 2 of about 80').waitFor()
  await app.getByRole('button', { name: 'Mark as complete' }).click()
  await app.getByRole('alertdialog').getByRole('button', { name: 'Mark as complete' }).click()
  await notice(app, 'Marked as complete.').waitFor()
  await app.getByText('First look:').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('2 photos', { exact: true }).waitFor()
  await asked.waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})
