const focusHistory: HTMLElement[] = []
const maxHistoryLength = 30

/** Records the focus from now on, so that a closed dialog can restore it. */
export function trackFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest(ignoredSelector)) return
    focusHistory.push(target)
    if (focusHistory.length > maxHistoryLength) focusHistory.shift()
  })
  // The focused element was removed, such as a deleted row. Without this, Tab would start at the top of the page.
  new MutationObserver(
    () => isFocusLost() && setTimeout(() => isFocusLost() && restoreFocus(), restoreDelayMs),
  ).observe(document.body, { childList: true, subtree: true })
}

/** The focus never returns to a menu, which closes by itself, or to the focus guards of a dialog. */
const ignoredSelector = '[role="menu"], [data-radix-focus-guard]'
const restoreDelayMs = 50

const isFocusLost = (): boolean =>
  document.activeElement === document.body && focusHistory.at(-1)?.isConnected === false

/** Focuses the latest element that is still visible and enabled, else the main region. */
export function restoreFocus(event?: Event): void {
  event?.preventDefault()
  const last = focusHistory.findLast(
    (element) => element.isConnected && !element.matches(':disabled') && isVisible(element),
  )
  const focusTarget = last ?? document.querySelector<HTMLElement>('main')
  focusTarget?.focus({ preventScroll: focusTarget.matches('main') })
}

const isVisible = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true })
