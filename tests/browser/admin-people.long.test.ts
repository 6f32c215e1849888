import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Role } from '../../contract/access.ts'
import { adminAppForFile, fillSignIn, notice } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { createAccount, signIn } from '../support/fixtures/accounts.ts'
import { createCustomer, enterAsCustomer, signInAsCustomer } from '../support/fixtures/customers.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { newPerson } from '../support/fixtures/people.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api } = service
const adminApp = await adminAppForFile(service)

test('an invited person chooses a password by the link and works as an editor', async () => {
  const { username, email } = newPerson()
  const { page, pageErrors } = await adminApp.open('/people')
  await page.getByRole('button', { name: 'Invite person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No mail server is set up, so send the link yourself.').waitFor()
  await expect.poll(() => hasFocus(dialog.getByLabel('User name'))).toBe(true)
  await fillPerson(page, { username: 'admin', email })
  await dialog.getByText('An account with this user name or email address already exists.').waitFor()
  await fillPerson(page, { username, email })
  await page.getByRole('heading', { name: `Link for ${username}` }).waitFor()
  await dialog.getByText('No mail server is set up, so send this link yourself.').waitFor()
  expect(await dialog.getByText('emailed').count()).toBe(0)
  await expectNoAxeFindings(page)
  const link = await dialog.locator('pre').innerText()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: new RegExp(`${username}.*Editor.*Invited`) }).waitFor()
  expect(pageErrors.filter((complaint) => !complaint.includes('409'))).toEqual([])

  const guest = await adminApp.openBlankPage({ device: 'phone' })
  await guest.page.goto(link)
  await guest.page.getByLabel('Password', { exact: true }).fill('chosen by myself')
  await guest.page.getByLabel('Repeat password').fill('chosen by myself')
  await guest.page.getByRole('button', { name: 'Save password' }).click()
  await guest.page.getByText(`You can now sign in as ${username}.`).waitFor()
  await guest.page.getByRole('button', { name: 'Sign in' }).click()
  await fillSignIn(guest.page, { username, password: 'chosen by myself' })
  await guest.page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('a super_admin sees the API tokens of all accounts and revokes them', { tags: 'nightly' }, async () => {
  const owner = await createAccount(service, 'editor')
  for (const name of ['Booking', 'Lightroom']) {
    await owner.admin.post('/api/admin/api-tokens', { name, scopes: ['write'] })
  }
  const { page, pageErrors } = await adminApp.open('/people', { device: 'phone' })
  await page.getByRole('link', { name: 'All API tokens' }).click()
  await page.getByRole('row', { name: new RegExp(`Booking.*${owner.username}`) }).waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Revoke Booking' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await notice(page, /revoked/).waitFor()
  await page.getByRole('row', { name: /Booking/ }).waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'People', exact: true }).first().click()
  await page.getByRole('button', { name: `More actions for ${owner.username}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Revoke API tokens' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke API tokens' }).click()
  await page.getByText('2 tokens revoked').waitFor()
  // A form dialog does not open the keyboard of a phone.
  await page.getByRole('button', { name: 'Invite person' }).tap()
  await expect.poll(() => hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Close' }))).toBe(true)
  expect(pageErrors).toEqual([])
})

test('each account sees exactly the pages that it may open, and a forbidden address says so', {
  tags: 'nightly',
}, async () => {
  const everybody = ['Overview', 'Events']
  const ofAdmins = [...everybody, 'Customers', 'Settings', 'Email', 'Activity', 'Health', 'Integrations']
  const allowed: Record<Role, string[]> = {
    super_admin: [...ofAdmins, 'People'],
    admin: ofAdmins,
    editor: [...everybody, 'Customers'],
    viewer: everybody,
  }
  for (const [role, expected] of Object.entries(allowed) as Array<[Role, string[]]>) {
    const { page, visit, pageErrors } = await adminApp.open('/', { role })
    const links = await page.getByRole('navigation', { name: 'Menu' }).getByRole('link').allInnerTexts()
    expect(links.sort(), role).toEqual(expected.toSorted())
    expect(await page.getByRole('link', { name: 'New event' }).count(), role).toBe(role === 'viewer' ? 0 : 1)
    expect(pageErrors).toEqual([])
    if (role !== 'editor') continue
    for (const path of ['/people', '/webhooks', '/settings/general', '/health', '/mail']) {
      await visit(path)
      await page.getByText("You don't have permission to do this.").first().waitFor()
      expect(await page.getByRole('button', { name: /Invite|New|Save/ }).count(), path).toBe(0)
    }
    await expectNoAxeFindings(page)
  }
})

test('a deactivated account loses access, its events go to another account, and its password is replaced by link', {
  tags: 'nightly',
}, async () => {
  const [gone, stays] = [await createAccount(service, 'editor'), await createAccount(service, 'editor')]
  await createEvent(gone.api, { event_name: 'Left behind' })
  await createCustomer(gone.admin)
  const { page } = await adminApp.open('/people')
  // An account cannot deactivate itself.
  await page.getByRole('button', { name: 'More actions for admin', exact: true }).click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Edit'])
  await page.keyboard.press('Escape')
  const choose = async (item: string) => {
    await page.getByRole('button', { name: `More actions for ${gone.username}`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Deactivate')
  await page.getByRole('alertdialog', { name: `Deactivate ${gone.username}?` }).waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await notice(page, `${gone.username} deactivated`).waitFor()
  expect((await signIn(service, gone.username, gone.password)).status).toBe(401)

  await choose('Transfer events')
  await page.getByLabel('Transfer to').selectOption({ label: stays.username })
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer events' }).click()
  await notice(page, '1 event transferred. 1 customer transferred.').waitFor()
  const { body } = await stays.admin.get('/api/admin/events')
  expect(body.events.map(({ event_name }: { event_name: string }) => event_name)).toEqual(['Left behind'])

  await choose('Reactivate')
  await notice(page, `${gone.username} reactivated`).waitFor()
  expect((await signIn(service, gone.username, gone.password)).status).toBe(200)

  await choose('Reset password')
  await page.getByRole('alertdialog').getByText('No mail server is set up').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('heading', { name: `Link for ${gone.username}` }).waitFor()
  await page.getByRole('dialog').getByText('No mail server is set up').waitFor()
  await expect.poll(() => hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Close' }))).toBe(true)
  expect((await signIn(service, gone.username, gone.password)).status).toBe(401)
})

test('a customer is created, gets events, signs in and finds the gallery', { tags: 'nightly' }, async () => {
  const [first, second] = [await createEvent(api, { event_name: 'Harbour' }), await createEvent(api)]
  const email = 'ana@customers.example'
  const { page, pageErrors } = await adminApp.open('/customers')
  await page.getByRole('button', { name: 'New customer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ana Fuchs')
  await dialog.getByLabel('Email address').fill(email)
  await dialog.getByLabel('Password').fill('opens her albums')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Ana Fuchs/ }).waitFor()

  await openMenu(page, 'Assign events')
  await dialog.getByLabel('Search events').fill('Harb')
  await dialog.getByRole('button', { name: 'Assign Harbour' }).click()
  await dialog.getByRole('button', { name: 'Remove Harbour' }).waitFor()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /Ana Fuchs/ })
    .getByRole('link', { name: 'Harbour' })
    .waitFor()
  expect(pageErrors).toEqual([])

  const customer = await signInAsCustomer(service, { id: 0, name: '', email, password: 'opens her albums' })
  const { body } = await customer.get('/api/customer/events')
  expect(JSON.stringify(body)).toContain(first.slug)
  expect(JSON.stringify(body)).not.toContain(second.slug)
  const guest = await enterAsCustomer(service, customer, first.slug)
  expect((await guest.get(`/api/gallery/${first.slug}/photos`)).status).toBe(200)

  await openMenu(page, 'Edit')
  await dialog.getByLabel('Name').fill('Ana Wolf')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Ana Wolf/ }).waitFor()

  await page.getByRole('button', { name: 'More actions for Ana Wolf' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog', { name: 'Delete Ana Wolf?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row', { name: /Ana Wolf/ }).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

async function fillPerson(page: Page, { username, email }: { username: string; email: string }): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill(username)
  await dialog.getByLabel('Email address').fill(email)
  await dialog.getByLabel('Role').selectOption('editor')
  await dialog.getByRole('button', { name: 'Invite person' }).click()
}

async function openMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions for Ana Fuchs' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
