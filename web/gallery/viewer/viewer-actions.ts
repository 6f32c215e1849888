import type PhotoSwipe from 'photoswipe'
import type { TilePhoto } from '../../../contract/gallery/gallery-tiles.ts'
import { openComments } from '../comments/open-comments.ts'
import { openDialog } from '../parts/open-dialog.tsx'
import { openHelp } from '../shortcuts/listen-to-shortcuts.ts'
import type { ViewerAction } from '../shortcuts/shortcut-table.ts'
import { isPlaying } from './viewer-state.ts'
import { getActualZoom } from './zoom-rules.ts'

export type ViewerActions = Record<ViewerAction | 'comment' | 'help', () => void>

/** Actions that change the slide or its zoom do nothing while the viewer opens or closes. */
export function createViewerActions(
  pswp: PhotoSwipe,
  photos: () => readonly TilePhoto[],
): Omit<ViewerActions, 'close'> {
  const whenOpen = (action: () => void) => () => {
    if (pswp.opener.isOpen) action()
  }
  const getShownId = () => photos()[pswp.currIndex]?.id ?? 0
  return {
    next: whenOpen(() => pswp.next()),
    previous: whenOpen(() => pswp.prev()),
    first: whenOpen(() => pswp.goTo(0)),
    last: whenOpen(() => pswp.goTo(pswp.getNumItems() - 1)),
    actualSize: whenOpen(() => showActualSize(pswp)),
    fullScreen: () => void (document.fullscreenElement ? document.exitFullscreen() : enterFullScreen()),
    slideshow: () => {
      isPlaying.value = !isPlaying.peek()
    },
    comment: () => openComments(getShownId()),
    compare: () => {
      const photoIds = photos()
        .slice(Math.min(pswp.currIndex, Math.max(0, photos().length - 2)))
        .slice(0, 2)
        .map(({ id }) => id)
      if (photoIds.length === 2)
        void openDialog(async () => (await import('../compare/compare.tsx')).Compare, { photoIds })
    },
    help: () => void openHelp(),
  }
}

/** The whole page enters full screen, so that notices and dialogs stay visible. */
const enterFullScreen = () => document.documentElement.requestFullscreen?.().catch(() => undefined)

function showActualSize(pswp: PhotoSwipe): void {
  const slide = pswp.currSlide
  if (!slide?.isZoomable()) return
  const { initial, fit } = slide.zoomLevels
  const isZoomed = slide.currZoomLevel > initial * 1.01
  const level = isZoomed ? initial : getActualZoom(fit, devicePixelRatio)
  slide.zoomTo(level, undefined, pswp.options.zoomAnimationDuration)
}
