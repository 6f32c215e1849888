import { isCovered } from '../parts/open-over.tsx'
import { askAgain } from '../state/photos.ts'
import { holdPlace } from './hold-place.ts'

/** So long what is shown counts as what there is. */
const freshMs = 3 * 60_000

let lookedAt = Date.now()

/** Has the grid show what there is by now; what is in sight stays where it is. Throws as `call` does. */
export async function lookAgain(): Promise<void> {
  lookedAt = Date.now()
  await askAgain(holdPlace)
}

/** Somebody who comes back to the page after a while sees what has been added or taken out meanwhile. */
export function watchReturn(): void {
  document.addEventListener('visibilitychange', () => {
    const isOld = Date.now() - lookedAt > freshMs
    // Without an answer everything stays as it is, until next time.
    if (document.visibilityState === 'visible' && isOld && !isCovered()) lookAgain().catch(() => undefined)
  })
}
