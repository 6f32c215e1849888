import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../../contract/access.ts'
import { createAccount } from '../fixtures/accounts.ts'
import { adminPassword, type TestService } from '../service/test-service.ts'
import { chromiumForFile, type Device, type GuestChromium, type GuestPage } from './guest-page.ts'

export type AdminPageOptions = BrowserContextOptions & {
  device?: Device
  /** Creates an account of this role. Default: the first admin, a super admin. */
  role?: Role
  /** Signs in with this existing account. */
  as?: { username: string; password: string }
}

export type AdminPage = GuestPage & {
  username: string
  /** Opens a path below `/admin` and waits until the page is rendered. */
  visit: (path: string) => Promise<void>
}

/** For all tests of a file that use the admin app. */
export async function adminAppForFile(service: TestService) {
  const browser = await chromiumForFile()

  const adminApp = {
    async openBlankPage({
      device = 'desktop',
      ...options
    }: Omit<AdminPageOptions, 'role' | 'as'> = {}): Promise<GuestPage> {
      return await browser.openBlankPage(service.url, device, options)
    },

    /** Signs in and opens a path below `/admin`. With the path null, it only signs in. */
    async open(path: string | null, { role, as, ...options }: AdminPageOptions = {}): Promise<AdminPage> {
      const guest = await adminApp.openBlankPage(options)
      const account = as ?? (role ? await createAccount(service, role) : firstAdmin)
      await signInBrowser(service, guest.page, account)
      const visit = async (to: string) => {
        await guest.page.goto(`${service.url}/admin${to}`)
        await waitUntilRendered(guest.page)
      }
      if (path !== null) await visit(path)
      return { ...guest, username: account.username, visit }
    },
  }
  return adminApp
}

export const firstAdmin = { username: 'admin', password: adminPassword }

/** Sets the same cookies and storage entry as the sign-in form. */
export async function signInBrowser(
  { url }: Pick<TestService, 'url'>,
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const response = await page.context().request.post(`${url}/api/auth/admin/login`, { data: { username, password } })
  if (!response.ok()) throw new Error(`${username} was not signed in: ${await response.text()}`)
  await page.addInitScript(() => {
    if (location.pathname.startsWith('/admin')) localStorage.setItem('proofroom-signed-in', 'yes')
  })
}

/** Waits until the page loads nothing. The live stream never ends, so `networkidle` cannot be used. */
export async function waitUntilRendered(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(async () => {
    const isLoading = () =>
      document.documentElement.hasAttribute('data-loading') || document.querySelector('.waiting') !== null
    // The frame that shows new data can start to load more.
    for (let frame = 0; frame < 3; frame++) {
      if (isLoading()) return false
      await new Promise(requestAnimationFrame)
    }
    return !isLoading()
  })
}

export async function fillSignIn(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('User name or email address').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Removes messages about responses 4xx. The browser logs these, and the page itself shows the errors. */
export const withoutResponses = (pageErrors: string[]): string[] =>
  pageErrors.filter((text) => !/status of 4\d\d/.test(text))

export const notice = (page: Page, text: string | RegExp) => page.locator('.notice').getByText(text)

/** Opens a path below `/admin` as the first admin, at any address of the service. */
export async function openAdminApp(
  browsers: GuestChromium,
  url: string,
  path: string,
  device: Device = 'desktop',
): Promise<GuestPage> {
  const guest = await browsers.openBlankPage(url, device)
  await signInBrowser({ url }, guest.page, firstAdmin)
  await guest.page.goto(`${url}/admin${path}`)
  await waitUntilRendered(guest.page)
  return guest
}
