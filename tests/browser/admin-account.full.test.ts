import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminAppForFile, fillSignIn, notice, waitUntilRendered } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { createAccount, signIn } from '../support/fixtures/accounts.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { generateCode } from '../support/fixtures/second-factor.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const adminApp = await adminAppForFile(service)

test('the printed password leads to a new password and then to the first steps', { tags: 'nightly' }, async () => {
  const fresh = await startByNode({ dataDir: `${await temporaryFolder()}/data` })
  onTestFinished(() => fresh.end('SIGKILL'))
  const [, printed = ''] = /First sign-in: admin \/ (\S+)/.exec(fresh.output()) ?? []
  const { page, pageErrors } = await adminApp.openBlankPage({ device: 'phone' })
  pageErrors.length = 0
  await page.goto(fresh.url)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expectNoAxeFindings(page)
  await fillSignIn(page, { username: 'admin', password: printed })
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await expect.poll(() => hasFocus(page.getByLabel('New password'))).toBe(true)
  expect(await page.getByLabel('Current password').count()).toBe(0)
  await expectNoAxeFindings(page)

  await page.goto(`${fresh.url}/admin/events`)
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await changePassword(page, { from: 'not the printed one', to: 'a sentence of my own' })
  await page.getByText('Incorrect user name, password or code.').waitFor()
  await changePassword(page, { from: printed, to: printed })
  await page.getByText('This is your current password.').waitFor()
  await changePassword(page, { from: printed, to: 'a sentence of my own' })
  await page.waitForURL(`${fresh.url}/admin/welcome`)
  await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
})

describe('signing in', () => {
  test('reports wrong credentials, and the waiting time after too many attempts', { tags: 'nightly' }, async () => {
    const { username, password } = await createAccount(service, 'editor')
    const { page } = await adminApp.openBlankPage()
    await page.goto(`${service.url}/admin`)
    for (let times = 0; times < 5; times++) {
      await fillSignIn(page, { username, password: `wrong ${times}` })
      await page.getByText('Incorrect user name, password or code.').waitFor()
    }
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    await fillSignIn(page, { username, password })
    await page.getByText(/^Too many .* Try again in 30 minutes\.$/).waitFor()
    await expectNoAxeFindings(page)
  })

  test('accepts a code or a recovery code as second factor', { tags: 'nightly' }, async () => {
    const { username, password } = await createAccount(service, 'editor')
    const { page, pageErrors } = await adminApp.openBlankPage({ device: 'phone' })
    await page.goto(`${service.url}/admin/account`)
    await fillSignIn(page, { username, password })
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByRole('button', { name: 'Set up second factor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await expectNoAxeFindings(page)
    const secret = await dialog.locator('code').innerText()
    await dialog.getByLabel('Code', { exact: true }).fill(generateCode(secret, Date.now()))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const [recoveryCode = ''] = await dialog.getByRole('listitem').allInnerTexts()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: "I've saved them" }).click()
    await page.getByText('recovery codes left').waitFor()

    for (const code of [generateCode(secret, Date.now() + 30_000), recoveryCode]) {
      await signOut(page)
      await fillSignIn(page, { username, password })
      await page.getByLabel('Code').fill(code)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    }
    await page.goto(`${service.url}/admin/account`)
    await page.getByText('9 recovery codes left').waitFor()
    expect(pageErrors).toEqual([])

    await page.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await notice(page, 'Second factor turned off').waitFor()
    expect((await signIn(service, username, password)).body).toMatchObject({ token: expect.any(String) })
  })
})

test('changing the password needs the old one, counts each wrong one once, and ends only other sessions', {
  tags: 'nightly',
}, async () => {
  const account = await createAccount(service, 'admin')
  const { page } = await adminApp.open('/account', { as: account })
  // Four wrong passwords are allowed, and each sends one request.
  for (let times = 0; times < 4; times++) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/change-password'))
    await changePassword(page, { from: `wrong ${times}`, to: 'a sentence of my own' })
    await answered
  }
  await page.getByText('Incorrect user name, password or code.').waitFor()
  await changePassword(page, { from: account.password, to: 'short' })
  expect(await page.getByLabel('New password', { exact: true }).evaluate(isValid)).toBe(false)
  await changePassword(page, { from: account.password, to: 'a sentence of my own' })
  await notice(page, 'Password changed').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  expect((await account.admin.get('/api/admin/events')).status).toBe(401)
  expect((await signIn(service, account.username, 'a sentence of my own')).status).toBe(200)
})

test('an API token is shown once, works in the example call, and stops when it is revoked', {
  tags: 'nightly',
}, async () => {
  const { page, pageErrors } = await adminApp.open('/tokens', { role: 'admin' })
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Booking')
  await dialog.getByLabel('Expires').fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('Must be in the future.').waitFor()
  await dialog.getByLabel('Expires').fill('')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
  await expectNoAxeFindings(page)
  const [token = '', curl = ''] = await dialog.locator('pre').allInnerTexts()
  const [, url = '', header = ''] = /^curl (\S+) -H "Authorization: (.*)"$/.exec(curl) ?? []
  expect(header).toBe(`Bearer ${token}`)
  const call = async () => (await fetch(url, { headers: { authorization: header } })).status
  expect(await call()).toBe(200)
  await page.keyboard.press('Escape')
  await page.getByRole('rowheader', { name: 'Booking' }).waitFor()
  expect(await page.getByText(token).count()).toBe(0)

  await page.getByRole('button', { name: 'Revoke Booking' }).click()
  await page.getByRole('alertdialog', { name: 'Revoke Booking?' }).getByRole('button', { name: 'Cancel' }).click()
  expect(await call()).toBe(200)
  await page.getByRole('button', { name: 'Revoke Booking' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await notice(page, 'Token revoked').waitFor()
  expect(await call()).toBe(401)
  expect(pageErrors.filter((complaint) => !complaint.includes('400'))).toEqual([])
})

describe('when the session has expired', () => {
  test('the page continues without a question, or leads back to itself after signing in', async () => {
    const account = await createAccount(service, 'super_admin')
    await createEvent(service.api, { event_name: 'Renewed' })
    const { page } = await adminApp.open('/', { as: account })
    await endSession(page.context())
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByText('Renewed').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/events')
    await endSession(page.context())
    await page.reload()
    await page.getByText('Renewed').first().waitFor()

    await endSession(page.context())
    await page.context().clearCookies({ name: 'admin_refresh' })
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await fillSignIn(page, account)
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await page.goto(`${service.url}/admin/events?search=Renewed`)
    await waitUntilRendered(page)
    await page.context().clearCookies()
    await page.reload()
    await fillSignIn(page, account)
    await page.waitForURL(`${service.url}/admin/events?search=Renewed`)
  })

  test('three windows at once renew it once, with and without locks of the browser', { tags: 'nightly' }, async () => {
    // Browsers have no locks where there is no TLS.
    for (const hasLocks of [true, false]) {
      const { page } = await adminApp.open(null, { role: 'super_admin' })
      const context = page.context()
      if (!hasLocks) await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
      const pages = [page, await context.newPage(), await context.newPage()]
      for (const one of pages) {
        await one.addInitScript(() => localStorage.setItem('proofroom-signed-in', 'yes'))
        await one.goto(`${service.url}/admin/events`)
        await waitUntilRendered(one)
      }
      for (let times = 0; times < 2; times++) {
        await endSession(context)
        await Promise.all(pages.map((one) => one.reload()))
        for (const one of pages) {
          await waitUntilRendered(one)
          expect(new URL(one.url()).pathname).toBe('/admin/events')
        }
      }
      if (hasLocks) continue
      // Signing out in one window signs out the others.
      await signOut(page)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await pages[1]?.getByRole('link', { name: 'People' }).click()
      await pages[1]?.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    }
  })
})

async function changePassword(page: Page, { from, to }: { from: string; to: string }) {
  await page.getByLabel('Current password').fill(from)
  await page.getByLabel('New password', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Change password' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Ends the session as after 24 hours. The cookie that renews it stays. */
async function endSession(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies()
  const session = cookies.find(({ name }) => name === 'admin_token')
  if (!session) throw new Error('Nobody is signed in')
  await context.addCookies([{ ...session, value: session.value.replace(/\.[^.]*$/, '.AAAA') }])
}

const isValid = (field: Element): boolean => (field as HTMLInputElement).validity.valid
