import { expect, test } from 'vitest'
import { openAdminApp } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { jpeg } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()

test('three steps lead from an empty instance to a gallery that a guest opens, and can be continued later', async () => {
  const { page, pageErrors } = await openAdminApp(browsers, service.url, '/')
  await page.getByRole('main').getByRole('link', { name: 'Get started' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await expectNoAxeFindings(page)
  await page.getByLabel('Name', { exact: true }).fill('Juno & Kim')
  await page.getByLabel('Type').selectOption('Wedding')
  await page.getByLabel('Password', { exact: true }).fill('secret-of-juno')
  await page.getByRole('button', { name: 'Create event' }).click()

  await page.getByText('You can add a whole folder.').waitFor()
  const { body: list } = await service.admin.get('/api/admin/events')
  const { body: created } = await service.admin.get(`/api/admin/events/${list.events[0].id}`)
  expect(created).toMatchObject({ event_name: 'Juno & Kim', ask_guest_name: true, allow_notes: true })
  const files = { 'one.jpg': await jpeg({ seed: 1 }), 'two.jpg': await jpeg({ seed: 2 }) }
  await dropFiles(page, [await createFolderOnDisk('Wedding', files)])
  await page.getByText('2 photos added.').waitFor()
  await page.getByText(/^This link works only on this computer./).waitFor()
  const password = page.getByLabel('Password', { exact: true })
  expect(await password.inputValue()).toBe('secret-of-juno')

  await page.reload()
  const showPassword = page.getByRole('button', { name: 'Show password' })
  await showPassword.waitFor()
  expect(await password.count()).toBe(0)
  await expectNoAxeFindings(page)
  await showPassword.click()
  expect(await password.inputValue()).toBe('secret-of-juno')
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  await page.getByRole('link', { name: 'Go to event' }).click()
  await page.getByRole('link', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  await page.getByRole('link', { name: 'Set your public address' }).waitFor()
  await page.getByText("Your preview doesn't count as a visit.").waitFor()
  const guest = await browsers.open(link, 'phone')
  await guest.page.getByLabel('Password').fill('secret-of-juno')
  await guest.page.keyboard.press('Enter')
  await guest.page.getByRole('heading', { name: 'Juno & Kim' }).waitFor()
  // A guest has visited the gallery, so the first steps are done.
  await page.goto(`${service.url}/admin/welcome`)
  await page.getByText('Setup complete').waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('link', { name: 'Go to events' }).click()
  await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
  expect(pageErrors).toEqual([])
})
