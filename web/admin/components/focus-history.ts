const focusHistory: HTMLElement[] = []
const maxHistoryLength = 30

/** Records each focused element, so that `restoreFocus` can return to it. */
export function trackFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest(ignoredSelector)) return
    focusHistory.push(target)
    if (focusHistory.length > maxHistoryLength) focusHistory.shift()
  })
  // Restores the focus after its element was removed. Otherwise Tab would start at the top of the page.
  new MutationObserver(
    () => isFocusLost() && setTimeout(() => isFocusLost() && restoreFocus(), restoreDelayMs),
  ).observe(document.body, { childList: true, subtree: true })
}

/** Elements that are not recorded: menus, which close by themselves, and hidden focus guards of Radix dialogs. */
const ignoredSelector = '[role="menu"], [data-radix-focus-guard]'
const restoreDelayMs = 50

const isFocusLost = (): boolean =>
  document.activeElement === document.body && focusHistory.at(-1)?.isConnected === false

/** Focuses the latest recorded element that is still visible and enabled, else the main region. */
export function restoreFocus(event?: Event): void {
  event?.preventDefault()
  const last = focusHistory.findLast(
    (element) => element.isConnected && !element.matches(':disabled') && isVisible(element),
  )
  const focusTarget = last ?? document.querySelector<HTMLElement>('main')
  focusTarget?.focus({ preventScroll: focusTarget.matches('main') })
}

const isVisible = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true })
