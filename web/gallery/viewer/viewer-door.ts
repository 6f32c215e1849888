import { effect } from '@preact/signals'
import { noteFailedPart, partFailed } from '../parts/part-failed.ts'
import { closePhoto, shownPhoto } from '../state/shown-photo.ts'

/** Time for the photos of the first screen to load. */
const idleAfterMs = 3_000

const load = () => import('./viewer.ts')

/** Preloads the viewer on the first interaction with the grid or when the page is idle. */
export function watchViewerDoor(grid: HTMLElement): void {
  effect(() => {
    if (shownPhoto.value === null) return
    load().catch(async () => {
      if (!(await partFailed())) closePhoto()
    })
  })
  const loadAhead = () => void load().catch(noteFailedPart)
  for (const sign of ['pointerover', 'touchstart', 'focusin'] as const) {
    grid.addEventListener(sign, loadAhead, { once: true, passive: true })
  }
  addEventListener('load', () => setTimeout(loadAhead, idleAfterMs))
}
