import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { jpeg } from '../media/pictures.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { startByNode } from '../service/service-process.ts'
import { fillSignIn } from './admin-page.ts'
import { expectNoAxeFindings } from './axe.ts'
import type { Device, GuestChromium } from './guest-page.ts'

const ownPassword = 'a sentence of my own'

/**
 * Runs a first start in a browser: sign in with the printed password, change it, create an event, upload a folder, and
 * open the link as a guest. Returns the number of photos in the gallery.
 */
export async function runFirstStart(browsers: GuestChromium, device: Device, photos: number): Promise<number> {
  const service = await startByNode({ dataDir: join(await temporaryFolder(), 'data') })
  onTestFinished(() => service.end('SIGKILL'))
  const [, printed = ''] = /First sign-in: admin \/ (\S+)/.exec(service.output()) ?? []

  const { page } = await browsers.open(service.url, device)
  await fillSignIn(page, { username: 'admin', password: printed })
  await page.getByLabel('Current password').fill(printed)
  await page.getByLabel('New password', { exact: true }).fill(ownPassword)
  await page.getByLabel('Confirm new password').fill(ownPassword)
  await page.getByRole('button', { name: 'Change password' }).click()

  await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
  await expectNoAxeFindings(page)
  await page.getByLabel('Name', { exact: true }).fill('Ana & Ben')
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Wedding' })
  await page.getByLabel('Link only').check()
  await page.getByRole('button', { name: 'Create event' }).click()

  // Sets the files directly, because a test cannot use the file dialog of the system.
  await page.locator('input[name=folder]').setInputFiles(await createPhotoFolder(photos))
  await page.getByText(`${photos} added`).waitFor({ timeout: 120_000 })
  await expectNoAxeFindings(page)

  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  const { page: guest, pageErrors } = await browsers.open(link, 'phone')
  await guest.getByRole('heading', { level: 1, name: 'Ana & Ben' }).waitFor()
  expect(pageErrors).toEqual([])
  const facts = await guest.locator('.facts').textContent()
  return Number(/(\d+) photos/.exec(facts ?? '')?.[1])
}

async function createPhotoFolder(count: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'Wedding')
  await mkdir(folder)
  for (let index = 0; index < count; index++) {
    await writeFile(join(folder, `DSC_${index}.jpg`), await jpeg({ width: 1200, height: 800, seed: index }))
  }
  return folder
}
