import { expect, test } from 'vitest'
import { adminAppForFile, notice } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings, listAxeFindings } from '../support/browser/axe.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { mailServerForFile } from '../support/network/mail-server.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const service = await serviceForFile({ environment: { SMTP_URL: mailServer.url } })
const { api, admin } = service
const adminApp = await adminAppForFile(service)
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
