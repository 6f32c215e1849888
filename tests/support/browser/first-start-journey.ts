import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
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
  const readEffort = await countEffort(page)
  await fillSignIn(page, { username: 'admin', password: printed })
  await page.getByLabel('New password', { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: 'Change password' }).click()

  await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
  await expectNoAxeFindings(page)
  await page.getByLabel('Name', { exact: true }).fill('Ana & Ben')
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Wedding' })
  await page.getByRole('button', { name: 'Create event' }).click()

  // Sets the files directly, because a test cannot use the file dialog of the system.
  await page.locator('input[name=folder]').setInputFiles(await createPhotoFolder(photos))
  const password = await page.getByLabel('Password', { exact: true }).inputValue()
  await page.getByText(`${photos} added`).waitFor({ timeout: 120_000 })
  await expectNoAxeFindings(page)

  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  // The type counts as a click, and so does the button for the folder that is not clicked here.
  const { clicks, typed } = await readEffort()
  expect(clicks + 1).toBeLessThanOrEqual(6)
  expect(typed).toEqual(['username', 'password', 'newPassword', 'event_name'])

  const { page: guest, pageErrors } = await browsers.open(link, 'phone')
  await guest.getByLabel('Password').fill(password)
  await guest.keyboard.press('Enter')
  await guest.getByRole('heading', { level: 1, name: 'Ana & Ben' }).waitFor()
  expect(pageErrors).toEqual([])
  const facts = await guest.locator('.facts').textContent()
  return Number(/(\d+) photos/.exec(facts ?? '')?.[1])
}

/** Counts clicks, choices in lists and fields that were typed into, on all pages of the window. */
async function countEffort(page: Page): Promise<() => Promise<{ clicks: number; typed: string[] }>> {
  let clicks = 0
  const typed = new Set<string>()
  await page.exposeFunction('recordEffort', (field: string | null) => (field === null ? clicks++ : typed.add(field)))
  const listen = () => {
    const record = (field: string | null) =>
      (window as unknown as { recordEffort: (f: typeof field) => void }).recordEffort(field)
    addEventListener('click', ({ isTrusted }) => isTrusted && record(null), true)
    addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && record(null), true)
    addEventListener(
      'input',
      ({ target }) => target instanceof HTMLInputElement && target.type !== 'file' && record(target.name),
      true,
    )
  }
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return async () => ({ clicks, typed: [...typed] })
}

async function createPhotoFolder(count: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'Wedding')
  await mkdir(folder)
  for (let index = 0; index < count; index++) {
    await writeFile(join(folder, `DSC_${index}.jpg`), await jpeg({ width: 1200, height: 800, seed: index }))
  }
  return folder
}
