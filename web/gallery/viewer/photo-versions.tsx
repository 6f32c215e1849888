import { effect, signal } from '@preact/signals'
import type PhotoSwipe from 'photoswipe'
import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handlePreloadFailure } from '../parts/open-dialog.tsx'
import { loadDetails, outline } from '../state/photos.ts'
import { addLayer, createFrame } from './photo-marks.tsx'
import { newPictures } from './slides.ts'
import { isDrawing, isPlaying, shownSize, viewerState } from './viewer-state.ts'

const loadParts = loadWhenReachable(() => import('../versions/version-layer.tsx'))

/** The part for events that keep versions. Null until it is loaded, and in other events. */
export const versionParts = signal<Awaited<ReturnType<typeof loadParts>> | null>(null)

/** Shows versions of the photos, except during a slide show. */
export function showVersions(pswp: PhotoSwipe): void {
  const draw = addLayer(pswp, 'versions')
  loadParts().then((parts) => {
    parts.onNewPicture((photoId, picture) => {
      newPictures.set(photoId, picture)
      const index = outline.peek().findIndex(({ id }) => id === photoId)
      pswp.refreshSlideContent(index < 0 ? pswp.currIndex : index)
      if (index >= 0) loadDetails(index, index + 1, true).catch(() => undefined)
    })
    versionParts.value = parts
  }, handlePreloadFailure)
  const end = effect(() => {
    const parts = versionParts.value
    const photoId = viewerState.value?.photoId
    const isShown = photoId !== undefined && !isPlaying.value
    if (!parts || !pswp.scrollWrap) return
    const frame = createFrame(pswp, pswp.scrollWrap)
    draw(isShown && <parts.VersionLayer {...{ photoId, frame, isDrawing, shownSize }} />)
  })
  pswp.on('close', () => draw(null))
  pswp.on('destroy', () => {
    end()
    draw(null)
  })
}
