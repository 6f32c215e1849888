import { effect } from '@preact/signals'
import { preloadComments } from '../comments/open-comments.ts'
import { handleLoadFailure, handlePreloadFailure } from '../parts/open-dialog.tsx'
import { preloadLater } from '../parts/preload-later.ts'
import { closePhoto, shownPhoto } from '../state/shown-photo.ts'

const load = () => import('./viewer.ts')

/** Loads the viewer when a photo is opened. Preloads it and the comments on the first interaction or soon after the page has loaded. */
export function loadViewerOnDemand(grid: HTMLElement): void {
  effect(() => {
    if (shownPhoto.value === null) return
    load().catch(async () => {
      if (!(await handleLoadFailure())) closePhoto()
    })
  })
  const preload = () => void load().then(preloadComments, handlePreloadFailure)
  for (const eventName of ['pointerover', 'touchstart', 'focusin'] as const) {
    grid.addEventListener(eventName, preload, { once: true, passive: true })
  }
  preloadLater(preload)
}
