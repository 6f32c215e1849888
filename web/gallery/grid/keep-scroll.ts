const key = 'scroll'

/** What shows that the guest wants to be somewhere else by now. */
const ownMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Where a guest who comes back was before; 0 once they are there, or moved by themselves. */
let wanted = 0

/** Keeps where the guest is, for when they come back from another page; `returnToScroll` leads there. */
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

/** Goes as far as the page reaches by now: at first it is only as high as the photos that it came with. */
export function returnToScroll(): void {
  if (wanted === 0) return
  const reach = document.documentElement.scrollHeight - innerHeight
  scrollTo({ top: Math.min(wanted, reach), behavior: 'instant' })
  if (reach >= wanted) wanted = 0
}

/** Whether the photos that the page came with are not enough to get back to where the guest was. */
export const isOnTheWayBack = (): boolean => wanted > 0
