import { readStored, writeStored } from '../../shared/browser-storage.ts'

const key = 'scroll'

const userScrollEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** The scroll position in pixels that is still to be restored, or 0. The first input of the guest sets it to 0. */
let targetTop = 0

/** Stores the scroll position when the page is left. `restoreScroll` restores it after a reload or a history step. */
export function watchScrollPosition(): () => void {
  history.scrollRestoration = 'manual'
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation && navigation.type !== 'navigate')
    targetTop = Number(readStored('sessionStorage', key + location.pathname) ?? 0)
  const store = () => writeStored('sessionStorage', key + location.pathname, String(Math.round(scrollY)))
  const listening = new AbortController()
  const { signal } = listening
  addEventListener('pagehide', store, { signal })
  for (const move of userScrollEvents) addEventListener(move, cancelRestore, { passive: true, signal })
  return () => listening.abort()
}

const cancelRestore = (): void => {
  targetTop = 0
}

/** Makes `restoreScroll` scroll to this position in pixels when the next list is shown. */
export function restoreScrollLater(top: number): void {
  targetTop = top
}

/** Scrolls toward the stored position as far as the page allows. Call it again when the page has become higher. */
export function restoreScroll(): void {
  if (targetTop === 0) return
  const maxTop = document.documentElement.scrollHeight - innerHeight
  scrollTo({ top: Math.min(targetTop, maxTop), behavior: 'instant' })
  if (maxTop >= targetTop) targetTop = 0
}

export const isRestoringScroll = (): boolean => targetTop > 0
