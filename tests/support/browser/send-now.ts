import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Ends the countdown in which the guest can undo the sending of picks. A tap right after the first one is ignored. */
export async function sendNow(page: Page): Promise<void> {
  await page.locator('.send-line').waitFor()
  await expect
    .poll(async () => {
      const button = page.getByRole('button', { name: 'Send now' })
      if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => undefined)
      return page.locator('.send-line').count()
    })
    .toBe(0)
}
