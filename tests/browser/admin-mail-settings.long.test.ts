import { expect, test } from 'vitest'
import { adminAppForFile, notice, openAdminApp, waitUntilRendered } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { mailPortAddress, mailServerForFile, mailServerForTest } from '../support/network/mail-server.ts'
import { serviceForFile, serviceForTest } from '../support/service/test-service.ts'

const address = mailPortAddress()
const password = 'harbor-lights-91'
const mailServer = await mailServerForFile({
  ...address,
  authOptional: false,
  disabledCommands: [],
  onAuth({ username, password: given }, _session, done) {
    done(null, given === password ? { user: username } : ({ message: 'No' } as never))
  },
})
const service = await serviceForFile()
const adminApp = await adminAppForFile(service)
const browsers = await chromiumForFile()

test('a super admin enters the address and the mail server, tests it, and waiting mails leave', async () => {
  await createEvent(service.api, { customer_email: 'ana@example.com' })
  const { page, pageErrors } = await adminApp.open('/mail')
  await page.getByRole('link', { name: 'Open settings' }).click()
  await page.getByRole('heading', { name: 'Public address' }).waitFor()

  await page.getByLabel('Address that guests use').fill('https://photos.example.com/')
  await page.getByText('https://photos.example.com/gallery/ana-and-ben').waitFor()
  await page.getByText(`You opened the admin app at ${service.url}`).waitFor()
  await page.getByRole('button', { name: 'Save address' }).click()
  await notice(page, 'Saved').waitFor()
  expect(await page.getByLabel('Address that guests use').inputValue()).toBe('https://photos.example.com')

  await page.getByLabel('Server', { exact: true }).fill(address.host)
  await page.getByLabel('Security').selectOption('None')
  await page.getByText('Emails are sent unencrypted.').waitFor()
  await page.getByLabel('Security').selectOption('STARTTLS')
  await page.getByLabel('Port').selectOption(String(address.port))
  await page.getByLabel('User name').fill('studio@example.com')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Send test email' }).click()
  await page.getByText('The server rejected the user name or the password.').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Send a test email to').fill('eva@example.com')
  await page.getByRole('button', { name: 'Send test email' }).click()
  await page.getByText('The mail server accepted the test email to eva@example.com').waitFor()
  expect((await mailServer.receive(1)).at(-1)?.text).toContain('https://photos.example.com/admin')
  await expectNoAxeFindings(page)

  await page.getByText('Also send 1 email from the outbox').waitFor()
  await page.getByRole('button', { name: 'Save mail server' }).click()
  await page.getByRole('button', { name: 'Remove mail server' }).waitFor()
  expect((await mailServer.receive(2)).at(-1)?.recipients).toEqual(['ana@example.com'])
  await page.reload()
  await waitUntilRendered(page)
  expect(await page.getByLabel('Password').inputValue()).toBe('')
  await page.getByText('A password is stored.').waitFor()
  expect(await page.content()).not.toContain(password)
  await page.getByLabel('User name').fill('other@example.com')
  await page.getByText('Enter the password again.').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await measureSidewaysOverflow(page)).toBe(0)
  expect(pageErrors).toEqual([])
})

test('with a mail server, the overview asks for an address, and the mail of publishing is shown', async () => {
  const mails = await mailServerForTest()
  const sending = await serviceForTest({ environment: { SMTP_URL: mails.url } })
  const draft = await createEvent(sending.api, { is_draft: true, customer_email: 'eva@example.com' })
  const { page } = await openAdminApp(browsers, sending.url, '')
  await page.getByText('Enter your email address: emails about picks go to admin@localhost').waitFor()
  await page.goto(`${sending.url}/admin/events/${draft.id}/share`)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Show the email').click()
  await page.getByText(draft.share_url).waitFor()
})
