import { isCovered } from '../parts/open-over.tsx'
import { askAgain } from '../state/photos.ts'
import { holdPlace } from './hold-place.ts'

const freshMs = 3 * 60_000

let refreshedAt = Date.now()

/** Reloads the list without moving the visible photos. Throws as `call` does. */
export async function refreshList(): Promise<void> {
  refreshedAt = Date.now()
  await askAgain(holdPlace)
}

export function watchReturn(): void {
  document.addEventListener('visibilitychange', () => {
    const isOld = Date.now() - refreshedAt > freshMs
    // If the request fails, the page stays as it is until the next return.
    if (document.visibilityState === 'visible' && isOld && !isCovered()) refreshList().catch(() => undefined)
  })
}
