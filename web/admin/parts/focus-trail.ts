/** Where the focus has been, the latest last. */
const trail: HTMLElement[] = []
const maxTrailLength = 30

/** Follows the focus from now on, so that what closes over the page can give it back. */
export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest(passing)) return
    trail.push(target)
    if (trail.length > maxTrailLength) trail.shift()
  })
  // What had the focus is gone, as with the row of what was deleted: Tab goes on from the page, not from its beginning.
  new MutationObserver(() => isLost() && setTimeout(() => isLost() && giveBackFocus(), settledMs)).observe(
    document.body,
    { childList: true, subtree: true },
  )
}

/** Menus close by themselves and lead to their opener; the guards of a dialog are never where one wants to be. */
const passing = '[role="menu"], [data-radix-focus-guard]'
const settledMs = 50

const isLost = (): boolean => document.activeElement === document.body && trail.at(-1)?.isConnected === false

/** To where it was last and still can be. */
export function giveBackFocus(event?: Event): void {
  event?.preventDefault()
  const last = trail.findLast((element) => element.isConnected && !element.matches(':disabled') && isSeen(element))
  const wanted = last ?? document.querySelector<HTMLElement>('main')
  wanted?.focus({ preventScroll: wanted.matches('main') })
}

const isSeen = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true })
