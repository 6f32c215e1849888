import { effect } from '@preact/signals'
import { preloadComments } from '../comments/open-comments.ts'
import { handleLoadFailure, recordPreloadFailure } from '../parts/open-dialog.tsx'
import { closePhoto, shownPhoto } from '../state/shown-photo.ts'

/** Gives the photos of the first screen time to load before the viewer. */
const preloadDelayMs = 3_000

const load = () => import('./viewer.ts')

/** Loads the viewer when a photo is opened. Preloads it and the comments on the first interaction or soon after the page has loaded. */
export function loadViewerOnDemand(grid: HTMLElement): void {
  effect(() => {
    if (shownPhoto.value === null) return
    load().catch(async () => {
      if (!(await handleLoadFailure())) closePhoto()
    })
  })
  const preload = () => void load().then(preloadComments, recordPreloadFailure)
  for (const eventName of ['pointerover', 'touchstart', 'focusin'] as const) {
    grid.addEventListener(eventName, preload, { once: true, passive: true })
  }
  addEventListener('load', () => setTimeout(preload, preloadDelayMs))
}
