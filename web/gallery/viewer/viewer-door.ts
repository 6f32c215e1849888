import { effect } from '@preact/signals'
import { noteFailedPart, partFailed } from '../parts/part-failed.ts'
import { closePhoto, shownPhoto } from '../state/shown-photo.ts'

/** Long enough for the photos of the first screen. */
const idleAfterMs = 3_000

const load = () => import('./viewer.ts')

/** Loads the viewer when a photo is to be shown; before that at the first touch of the grid, or when nothing else is to do. */
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
