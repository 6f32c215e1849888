import { expect, test } from 'vitest'
import { axeClean } from '../support/axe.ts'
import { openDesk } from '../support/desk-page.ts'
import { dropOnPage, folderOnDisk } from '../support/dropped-folders.ts'
import { chromiumForFile } from '../support/guest-page.ts'
import { jpeg } from '../support/pictures.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()

test('from an empty instance three steps lead to a gallery that a guest looks at', async () => {
  const { page, complaints } = await openDesk(browsers, service.url, '/')
  await page.getByRole('main').getByRole('link', { name: 'Begin' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await axeClean(page)
  await page.getByLabel('Name', { exact: true }).fill('Juno & Kim')
  await page.getByLabel('Type').selectOption('Wedding')
  await page.getByLabel('By the link alone').check()
  await page.getByRole('button', { name: 'Create event' }).click()

  await page.getByText('A whole folder is fine.').waitFor()
  const files = { 'one.jpg': await jpeg({ seed: 1 }), 'two.jpg': await jpeg({ seed: 2 }) }
  await dropOnPage(page, [await folderOnDisk('Wedding', files)])
  await page.getByText('2 photos are there.').waitFor()
  await axeClean(page)
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  const guest = await browsers.open(link, 'phone')
  await guest.page.getByRole('heading', { name: 'Juno & Kim' }).waitFor()
  await page.getByRole('link', { name: 'To the event' }).click()
  await page.getByRole('heading', { name: 'Juno & Kim' }).waitFor()
  expect(complaints).toEqual([])
})
