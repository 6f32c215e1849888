const trail: HTMLElement[] = []
const maxTrailLength = 30

/** Records the focus from now on, so that a closed dialog can restore it. */
export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest(passing)) return
    trail.push(target)
    if (trail.length > maxTrailLength) trail.shift()
  })
  // The focused element was removed, such as a deleted row. Without this, Tab would start at the top of the page.
  new MutationObserver(() => isLost() && setTimeout(() => isLost() && giveBackFocus(), settledMs)).observe(
    document.body,
    { childList: true, subtree: true },
  )
}

/** The focus never returns to a menu, which closes by itself, or to the focus guards of a dialog. */
const passing = '[role="menu"], [data-radix-focus-guard]'
const settledMs = 50

const isLost = (): boolean => document.activeElement === document.body && trail.at(-1)?.isConnected === false

/** Focuses the latest element that is still visible and enabled, else the main region. */
export function giveBackFocus(event?: Event): void {
  event?.preventDefault()
  const last = trail.findLast((element) => element.isConnected && !element.matches(':disabled') && isSeen(element))
  const wanted = last ?? document.querySelector<HTMLElement>('main')
  wanted?.focus({ preventScroll: wanted.matches('main') })
}

const isSeen = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true })
