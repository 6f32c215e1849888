import { effect } from '@preact/signals'
import { tell } from '../parts/notices.tsx'
import { say } from '../state/page.ts'
import { closePhoto, shownPhoto } from '../state/shown-photo.ts'

/** Long enough for the photos of the first screen. */
const idleAfterMs = 3_000

const load = () => import('./viewer.ts')

/** Loads the viewer when a photo is to be shown; before that at the first touch of the grid, or when nothing else is to do. */
export function watchViewerDoor(grid: HTMLElement): void {
  effect(() => {
    if (shownPhoto.value === null) return
    load().catch(() => {
      tell(say('failed'), { isAlarm: true })
      closePhoto()
    })
  })
  // What is loaded ahead may fail: it is tried again when it is needed.
  const loadAhead = () => void load().catch(() => undefined)
  for (const sign of ['pointerover', 'touchstart', 'focusin'] as const) {
    grid.addEventListener(sign, loadAhead, { once: true, passive: true })
  }
  addEventListener('load', () => setTimeout(loadAhead, idleAfterMs))
}
