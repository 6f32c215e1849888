import type { Locator, Page } from 'playwright-core'

/** Sets the root font size from the first paint on, as a browser setting does. */
export const setTextSize = (page: Page, rootPx: number): Promise<unknown> =>
  page.addInitScript((px) => {
    new MutationObserver((_changes, observer) => {
      if (!document.documentElement) return
      document.documentElement.style.fontSize = `${px}px`
      observer.disconnect()
    }).observe(document, { childList: true })
  }, rootPx)

export const doubleTextSize = (page: Page): Promise<unknown> => setTextSize(page, 32)

/** Returns the controls that, after scrolling to them, are outside the window or covered by another element. */
export const listUnreachableControls = (within: Locator): Promise<string[]> =>
  within.evaluate((root) => {
    const controls = [...root.querySelectorAll<HTMLElement>('a, button, input, select, textarea')].filter(
      (control) =>
        control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        control.getClientRects().length > 0 &&
        !control.closest('[inert]') &&
        // Visually hidden inputs are used through their label.
        !control.matches('label > .heard'),
    )
    return controls.flatMap((control) => {
      control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
      const { left, right, top, bottom } = control.getBoundingClientRect()
      const isInside = left >= -1 && right <= innerWidth + 1 && top < innerHeight && bottom > 0
      const hit = document.elementFromPoint((left + right) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2)
      const isUncovered = hit !== null && (control.contains(hit) || hit.contains(control))
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.tagName
      return isInside && isUncovered
        ? []
        : [`${name || control.tagName}: ${isInside ? `under ${hit?.className}` : 'outside'}`]
    })
  })
