import type { Locator, Page } from 'playwright-core'

/** Letters twice as large from the first paint on, as somebody has them who sets their browser so. */
export const doubleText = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (!document.documentElement) return
      document.documentElement.style.fontSize = '32px'
      observer.disconnect()
    }).observe(document, { childList: true })
  })

/**
 * The controls within that a hand would not reach, by name: those that stand out of the window or lie under something
 * else once they are scrolled to.
 */
export const outOfReach = (within: Locator): Promise<string[]> =>
  within.evaluate((root) => {
    const controls = [...root.querySelectorAll<HTMLElement>('a, button, input, select, textarea')].filter(
      (control) =>
        control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        control.getClientRects().length > 0 &&
        !control.closest('[inert]') &&
        // Seen and tapped by its label.
        !control.matches('label > .heard'),
    )
    return controls.flatMap((control) => {
      control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
      const { left, right, top, bottom } = control.getBoundingClientRect()
      const isInside = left >= -1 && right <= innerWidth + 1 && top < innerHeight && bottom > 0
      const hit = document.elementFromPoint((left + right) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2)
      const isFree = hit !== null && (control.contains(hit) || hit.contains(control))
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.tagName
      return isInside && isFree
        ? []
        : [`${name || control.tagName}: ${isInside ? `under ${hit?.className}` : 'outside'}`]
    })
  })
