import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { adminAppForFile, firstAdmin, signInBrowser, waitUntilRendered } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { devices, measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { newPerson } from '../support/fixtures/people.ts'
import { mailServerForFile, smtpError } from '../support/network/mail-server.ts'
import { startMisconfiguredProxy } from '../support/network/misconfigured-proxy.ts'
import { serviceForFile } from '../support/service/test-service.ts'

let isRejecting = true
const mailServer = await mailServerForFile({
  onRcptTo: (_address, _session, done) => done(isRejecting ? smtpError(550, 'Nobody of that name') : null),
})
const service = await serviceForFile({ environment: { SMTP_URL: mailServer.url } })
const adminApp = await adminAppForFile(service)

await createEvent(service.api, { event_name: 'Ana & Ben', customer_email: 'ana@example.com' })
// Without an address, no mail about archiving is sent during the tests.
const event = await createEvent(service.api, { event_name: 'Ana & Ben' })
await service.admin.post(`/api/admin/events/${event.id}/archive`, {})

const item = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

describe('health', () => {
  test('shows the number of problems, and the meaning and the fix of each, in the language of the operator', async () => {
    const { page, pageErrors } = await adminApp.open('/health')
    await expect.poll(() => page.locator('.health-summary').textContent()).toMatch(/\d items? needs? attention/)
    const address = item(page, 'Address in links')
    expect(await address.textContent()).toContain('Needs attention')
    expect(await address.locator('.health-fix').textContent()).toContain('set the variable PUBLIC_URL')
    expect(await address.locator('dd code').textContent()).toBe('PUBLIC_URL=https://photos.example.com')
    expect(await item(page, 'Database').textContent()).toContain('OK')
    // Problems come first.
    expect(await page.locator('.health-items > li').first().getAttribute('class')).not.toBe('ok')

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await address.getByRole('button', { name: /^Copy PUBLIC_URL/ }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('PUBLIC_URL=https://photos.example.com')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('button', { name: 'Refresh' }).waitFor()
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByText('No problems found.').waitFor()
    expect(pageErrors).toEqual([])

    const german = await adminApp.open('/health', { locale: 'de-DE' })
    const adresse = await item(german.page, 'Adresse in Links').textContent()
    expect(adresse).toContain('keine öffentliche Adresse eingetragen')
    expect(adresse).toContain('setzen Sie die Variable PUBLIC_URL')
  })

  test('reports a proxy that is untrusted, limits bodies or buffers live updates, each with a fix', async () => {
    const origin = await startMisconfiguredProxy(service.url, { maxBodyBytes: 2 ** 20, buffersResponses: true })
    const { page } = await adminApp.openBlankPage()
    await signInBrowser({ ...service, url: origin }, page, firstAdmin)
    await page.goto(`${origin}/admin/health`)
    await waitUntilRendered(page)
    expect(await item(page, 'Proxy').textContent()).toContain("doesn't trust the proxy")
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByText('3 problems found.').waitFor()
    const uploads = await item(page, 'Uploads').textContent()
    expect(uploads).toContain('rejected with status 413')
    expect(uploads).toContain('client_max_body_size 0;')
    const live = await item(page, 'Live updates').textContent()
    expect(live).toContain('delays')
    expect(live).toContain('flush_interval -1')
    expect(await item(page, 'Visitor address').textContent()).toContain('TRUST_PROXY=1')
    expect(await item(page, 'Resumable downloads').textContent()).toContain('OK')
    await expectNoAxeFindings(page)
  })
})

test('a mail that failed is found, read and sent again, and a test or an invitation is mailed', async () => {
  const { page, pageErrors } = await adminApp.open(null)
  await expect
    .poll(async () => (await service.admin.get('/api/admin/mail/outbox?status=failed')).body.mails.length)
    .toBeGreaterThan(0)
  await page.goto(`${service.url}/admin/mail`)
  await waitUntilRendered(page)
  await page.getByRole('button', { name: 'Failed' }).click()
  await page.waitForURL(/status=failed/)
  const subject = page.locator('.mail-subject button').filter({ hasText: 'Your gallery is ready' })
  await subject.click()
  const mail = page.getByRole('dialog')
  expect(await mail.textContent()).toContain('ana@example.com')
  expect(await mail.textContent()).toContain('Nobody of that name')
  await mail.getByRole('button', { name: 'Preview' }).click()
  await page.frameLocator('iframe.mail-picture').getByText('Ana & Ben').first().waitFor()
  await expectNoAxeFindings(page)
  await page.setViewportSize(devices.phone.viewport)
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await page.setViewportSize(devices.desktop.viewport)
  isRejecting = false
  await mail.getByRole('button', { name: 'Resend' }).click()
  await page.locator('.notice').getByText('Email queued.').waitFor()
  const [taken] = await mailServer.receive(1)
  expect(taken?.recipients).toEqual(['ana@example.com'])
  // The status changes a moment after the mail server has accepted the mail.
  await expect
    .poll(async () => (await service.admin.get('/api/admin/mail/outbox?status=sent')).body.mails.length)
    .toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Sent', exact: true }).click()
  await page.locator('.mail-table .badge').filter({ hasText: 'Sent' }).first().waitFor()
  await page.goto(`${service.url}/admin/mail?status=kept`)
  await page.getByText('No emails were stored while no mail server was set up.').waitFor()
  await page.getByRole('button', { name: 'Show all emails' }).click()
  await page.locator('.mail-subject').first().waitFor()

  await page.getByRole('button', { name: 'Send test email' }).click()
  await page.locator('.notice').getByText('The mail server accepted the test email to').waitFor()
  expect(mailServer.received.at(-1)?.subject).toBe('Test email')
  isRejecting = true
  await page.getByRole('button', { name: 'Send test email' }).click()
  await page.locator('.notice.alarm').getByText('550 Nobody of that name').waitFor()
  isRejecting = false
  // axe sends a message to the frame of the mail, in which scripts are disabled. The browser logs this as an error.
  expect(pageErrors.filter((one) => !one.includes('postMessage'))).toEqual([])

  await page.goto(`${service.url}/admin/people`)
  const { username, email } = newPerson()
  await page.getByRole('button', { name: 'Invite person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The person gets an email with a link').waitFor()
  await dialog.getByLabel('User name').fill(username)
  await dialog.getByLabel('Email address').fill(email)
  await dialog.getByRole('button', { name: 'Invite person' }).click()
  await dialog.getByText("This link has been emailed and won't be shown again.").waitFor()
})

test('the activity shows who did what, and filters by kind, person and day', async () => {
  const { page, visit, pageErrors } = await adminApp.open('/activity')
  const actions = page.getByRole('list', { name: 'Activity', exact: true })
  await page.getByText('Nothing from guests yet').waitFor()
  await page.getByLabel('Who').selectOption({ label: 'Team' })
  const row = actions.getByRole('listitem').filter({ hasText: 'Event archived' })
  await row.first().waitFor()
  await row.getByRole('button', { name: 'Show details: Event archived' }).first().click()
  await row.getByText('Session · 127.0.0.0/24').first().waitFor()
  expect(await row.textContent()).toContain('admin')
  expect(await row.getByRole('link', { name: 'Ana & Ben' }).first().getAttribute('href')).toBe(
    `/admin/events/${event.id}`,
  )
  await page.getByLabel('Action').selectOption({ label: 'API token created' })
  await page.waitForURL(/action=createApiToken/)
  await row.waitFor({ state: 'detached' })
  expect(await actions.textContent()).toContain('API token created')
  await page.getByLabel('Action').selectOption({ label: 'Webhook deleted' })
  await page.getByText('No activity found').waitFor()
  await page.getByRole('button', { name: 'Show all activity' }).click()
  await row.waitFor()
  await page.getByLabel('Since').fill('2200-01-01')
  await page.getByText('No activity found').waitFor()
  await visit(`/activity?event=${event.id}&user=1`)
  await row.waitFor()
  expect(await actions.textContent()).not.toContain('API token created')
  expect(pageErrors).toEqual([])
})

test('the overview shows the activity, and an Arabic name does not change the order of its sentence', async () => {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  await createEvent(service.api, { event_name: 'حفل زفاف', expires_at })
  const { page } = await adminApp.open('/')
  const archived = page.getByRole('listitem').filter({ hasText: 'Event archived' })
  await archived.getByRole('link', { name: 'Ana & Ben' }).waitFor()
  const line = page.getByRole('link', { name: /حفل زفاف.* expires/ })
  await line.waitFor()
  expect(await line.evaluate((link) => getComputedStyle(link).direction)).toBe('ltr')
  expect(await line.textContent()).toMatch(/^\u2068حفل زفاف\u2069 expires/)
})
