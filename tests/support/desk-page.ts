import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../contract/access.ts'
import { createAccount } from './accounts.ts'
import { chromiumForFile, type Device, type GuestChromium, type GuestPage } from './guest-page.ts'
import { adminPassword, type TestService } from './test-service.ts'

/** A test that waits in vain should say so before its own time is up. */
const maxWaitMs = 15_000

export type DeskOptions = BrowserContextOptions & {
  device?: Device
  /** The first admin, who is a super admin, unless another role is named: then a new account of that role. */
  role?: Role
  /** Whose account it is, where the test has made one. */
  as?: { username: string; password: string }
}

export type DeskPage = GuestPage & {
  username: string
  /** Opens a page by its path below `/admin`, and waits until it stands. */
  visit: (path: string) => Promise<void>
}

/** One Chromium for all tests of a file, in which people come to the desk of a service. */
export async function deskForFile(service: TestService) {
  const browser = await chromiumForFile()

  const desk = {
    /** An empty page of somebody who is not signed in. */
    async arrive({ device = 'desktop', ...options }: Omit<DeskOptions, 'role' | 'as'> = {}): Promise<GuestPage> {
      const guest = await browser.arrive(service.url, device, options)
      guest.page.setDefaultTimeout(maxWaitMs)
      return guest
    },

    /** The desk of somebody who is signed in, at a path below `/admin`; at none when it is null. */
    async open(path: string | null, { role, as, ...options }: DeskOptions = {}): Promise<DeskPage> {
      const guest = await desk.arrive(options)
      const account = as ?? (role ? await createAccount(service, role) : firstAdmin)
      await signInBrowser(service, guest.page, account)
      const visit = async (to: string) => {
        await guest.page.goto(`${service.url}/admin${to}`)
        await untilDrawn(guest.page)
      }
      if (path !== null) await visit(path)
      return { ...guest, username: account.username, visit }
    },
  }
  return desk
}

export const firstAdmin = { username: 'admin', password: adminPassword }

/** As the form does it, cookies and all. */
export async function signInBrowser(
  { url }: Pick<TestService, 'url'>,
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const answer = await page.context().request.post(`${url}/api/auth/admin/login`, { data: { username, password } })
  if (!answer.ok()) throw new Error(`${username} was not signed in: ${await answer.text()}`)
  await page.addInitScript(() => {
    if (location.pathname.startsWith('/admin')) localStorage.setItem('proofroom-signed-in', 'yes')
  })
}

/** Until the page of the desk has its title and nothing on it is still on its way; what is told live is never at its end. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(async () => {
    const isWaiting = () => document.querySelector('.waiting') !== null
    if (isWaiting()) return false
    // A part that begins to load shows so a moment after what it depends on has come: only the time tells that none does.
    await new Promise((resolve) => setTimeout(resolve, 200))
    return !isWaiting()
  })
}

/** The sign-in, written by hand. */
export async function writeSignIn(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('User name or mail address').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export const notice = (page: Page, text: string | RegExp) => page.locator('.notice').getByText(text)

/** The desk of the first admin at a path below `/admin`, at whichever address the service is reached by. */
export async function openDesk(
  browsers: GuestChromium,
  url: string,
  path: string,
  device: Device = 'desktop',
): Promise<GuestPage> {
  const guest = await browsers.arrive(url, device)
  await signInBrowser({ url }, guest.page, firstAdmin)
  await guest.page.goto(`${url}/admin${path}`)
  await untilDrawn(guest.page)
  return guest
}
