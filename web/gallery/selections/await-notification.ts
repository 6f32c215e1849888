import { lastSelection, reloadSelection } from '../marks/last-selection.ts'

const delaysMs = [1_000, 2_000, 4_000, 8_000, 15_000]

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Asks a few times whether the photographer has been notified of the last selection, and again whenever the guest
 * returns to the page.
 */
export function awaitNotification(): void {
  clearTimeout(timer)
  ask(delaysMs)
  document.addEventListener('visibilitychange', askOnReturn)
}

function ask([delayMs, ...later]: readonly number[]): void {
  if (delayMs === undefined) return
  timer = setTimeout(async () => {
    await reloadSelection().catch(() => undefined)
    if (isNotified()) document.removeEventListener('visibilitychange', askOnReturn)
    else ask(later)
  }, delayMs)
}

function askOnReturn(): void {
  if (document.visibilityState !== 'visible') return
  clearTimeout(timer)
  ask([0])
}

const isNotified = (): boolean => lastSelection.peek()?.notified_at != null
