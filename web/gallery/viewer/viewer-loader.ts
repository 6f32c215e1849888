import { effect } from '@preact/signals'
import { handleLoadFailure, recordPreloadFailure } from '../parts/open-dialog.tsx'
import { closePhoto, shownPhoto } from '../state/shown-photo.ts'

/** Time for the photos of the first screen to load. */
const preloadDelayMs = 3_000

const load = () => import('./viewer.ts')

/** Preloads the viewer on the first interaction with the grid or when the page is idle. */
export function loadViewerOnDemand(grid: HTMLElement): void {
  effect(() => {
    if (shownPhoto.value === null) return
    load().catch(async () => {
      if (!(await handleLoadFailure())) closePhoto()
    })
  })
  const preload = () => void load().catch(recordPreloadFailure)
  for (const eventName of ['pointerover', 'touchstart', 'focusin'] as const) {
    grid.addEventListener(eventName, preload, { once: true, passive: true })
  }
  addEventListener('load', () => setTimeout(preload, preloadDelayMs))
}
