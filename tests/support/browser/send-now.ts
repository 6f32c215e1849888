import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Ends the countdown in which the guest can undo the sending of picks. A tap right after the first one is ignored. The button
 * is found and pressed at once: a moment later it may be that for sending again, which opens a sheet.
 */
export async function sendNow(page: Page): Promise<void> {
  await page.locator('.send-line').waitFor()
  const press = () =>
    page.locator('.send-picks').evaluateAll((buttons) => {
      for (const button of buttons) if (button.textContent === 'Send now') (button as HTMLElement).click()
    })
  await expect
    .poll(async () => {
      await press()
      return page.locator('.send-line').count()
    })
    .toBe(0)
}
