const key = 'scroll'

const ownMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** The scroll position to restore; 0 once it is reached or the guest has moved. */
let wanted = 0

/** Stores the scroll position when the page is left; `restoreScroll` restores it. */
export function keepScroll(): () => void {
  history.scrollRestoration = 'manual'
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation && navigation.type !== 'navigate')
    wanted = Number(sessionStorage.getItem(key + location.pathname) ?? 0)
  const keep = () => sessionStorage.setItem(key + location.pathname, String(Math.round(scrollY)))
  const letGo = () => {
    wanted = 0
  }
  addEventListener('pagehide', keep)
  for (const move of ownMoves) addEventListener(move, letGo, { once: true, passive: true })
  return () => {
    removeEventListener('pagehide', keep)
    for (const move of ownMoves) removeEventListener(move, letGo)
  }
}

/** Scrolls as far as possible: at first the page is only as high as the photos it was loaded with. */
export function returnToScroll(): void {
  if (wanted === 0) return
  const reach = document.documentElement.scrollHeight - innerHeight
  scrollTo({ top: Math.min(wanted, reach), behavior: 'instant' })
  if (reach >= wanted) wanted = 0
}

export const isOnTheWayBack = (): boolean => wanted > 0
