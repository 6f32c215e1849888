import type { Locator, Page } from 'playwright-core'

export type InputMethod = {
  press: (target: Locator) => Promise<void>
  write: (field: Locator, text: string) => Promise<void>
}

export const byTouch = (_page: Page): InputMethod => ({
  press: (target) => target.tap(),
  write: async (field, text) => {
    await field.tap()
    await field.fill(text)
  },
})

/** Moves the focus with Tab and activates controls with Enter. */
export function byKeyboard(page: Page): InputMethod {
  return {
    async press(target) {
      await tabTo(page, target)
      await page.keyboard.press('Enter')
    },
    async write(field, text) {
      await tabTo(page, field)
      await page.keyboard.type(text)
    },
  }
}

export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement)

const maxPresses = 80

export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < maxPresses; presses++) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${target}`)
}
