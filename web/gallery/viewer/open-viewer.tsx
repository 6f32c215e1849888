import PhotoSwipe from 'photoswipe'
import { render } from 'preact'
import type { TilePhoto } from '../../../contract/gallery/gallery-tiles.ts'
import { lockScroll, makeOthersInert } from '../parts/block-page.ts'
import { setShortcutTarget } from '../shortcuts/listen-to-shortcuts.ts'
import { canAnnotate, page, t } from '../state/page.ts'
import { Controls } from './controls.tsx'
import { showMarks } from './photo-marks.tsx'
import { showVersions } from './photo-versions.tsx'
import { showSlides } from './slides.ts'
import { watchSlideshow } from './slideshow.ts'
import { createViewerActions } from './viewer-actions.ts'
import { viewerState } from './viewer-state.ts'
import { getMargins } from './zoom-rules.ts'

type ViewerOptions = {
  photos: () => readonly TilePhoto[]
  index: number
  isAnimated: boolean
  onChange: (index: number) => void
  /** Called when the viewer starts to close, even by a gesture. */
  onClose: () => void
  onClosed: () => void
}

export type ViewerHandle = {
  goTo: (index: number) => void
  close: () => void
  /** False while the viewer opens or closes. */
  isOpen: () => boolean
  /** Closes the viewer without animation, and then calls `next`, which opens another viewer. */
  replace: (next: () => void) => void
}

export function openViewer(viewerOptions: ViewerOptions): ViewerHandle {
  const { photos, index, isAnimated } = viewerOptions
  const pswp = new PhotoSwipe({
    index,
    loop: false,
    bgOpacity: 1,
    preload: [1, 2],
    showAnimationDuration: 280,
    hideAnimationDuration: 240,
    ...(!isAnimated && { showHideAnimationType: 'none' }),
    imageClickAction: 'zoom',
    tapAction: 'toggle-controls',
    maxZoomLevel: ({ fit }) => Math.max(1, fit * 4),
    paddingFn: (size) => getMargins(size, page.feedback.keep_versions),
    mainClass: 'viewer',
    escKey: false,
    arrowKeys: false,
    trapFocus: false,
    returnFocus: false,
    // `Controls` replaces the buttons of PhotoSwipe.
    ...{ close: false, zoom: false, counter: false, arrowPrev: false, arrowNext: false, preloader: false },
  })
  showSlides(pswp, photos)
  let isClosing = false
  const close = () => {
    // PhotoSwipe cannot close while it opens. The listener of `openingAnimationEnd` closes it later.
    isClosing = true
    pswp.close()
  }
  const actions = { ...createViewerActions(pswp, photos), close }
  let unlockScroll = () => {}
  let restoreOthers = () => {}
  let place: HTMLElement | null = null
  let next: (() => void) | null = null

  if (page.feedback.keep_versions) showVersions(pswp)
  if (canAnnotate) showMarks(pswp)
  pswp.on('uiRegister', () => {
    const onInit = (element: HTMLElement) => {
      place = element
    }
    pswp.ui?.registerElement({ name: 'controls', className: 'viewer-controls', appendTo: 'root', onInit })
  })
  // An image without text for readers needs no role, and may not have one (HTML).
  pswp.on('contentAppend', ({ content }) => content.placeholder?.element?.removeAttribute('role'))
  pswp.on('change', () => viewerOptions.onChange(pswp.currIndex))
  // Only ArrowUp and ArrowDown, which pan a zoomed photo, are left to PhotoSwipe.
  pswp.on('keydown', (event) => {
    if (!['ArrowUp', 'ArrowDown'].includes(event.originalEvent.key)) event.preventDefault()
  })
  pswp.on('openingAnimationEnd', () => {
    if (isClosing) setTimeout(() => pswp.close())
  })
  pswp.on('close', () => next ?? viewerOptions.onClose())
  pswp.on('destroy', () => {
    setShortcutTarget(null)
    if (place) render(null, place)
    restoreOthers()
    unlockScroll()
    document.documentElement.classList.remove('viewing')
    if (next) return next()
    if (document.fullscreenElement) void document.exitFullscreen()
    viewerOptions.onClosed()
  })

  unlockScroll = lockScroll()
  document.documentElement.classList.add('viewing')
  pswp.init()
  const { element, scrollWrap } = pswp
  if (element && place) {
    element.setAttribute('aria-label', t('viewer'))
    scrollWrap?.setAttribute('role', 'group')
    scrollWrap?.setAttribute('aria-label', t('viewer'))
    restoreOthers = makeOthersInert([element, ...document.querySelectorAll('.notices')])
    render(<Controls actions={actions} />, place)
    element.focus({ preventScroll: true })
  }
  setShortcutTarget({ photoId: () => viewerState.peek()?.photoId ?? null, actions })
  watchSlideshow(pswp)
  return {
    goTo: (index) => pswp.goTo(index),
    close,
    isOpen: () => pswp.opener.isOpen,
    replace: (open) => {
      next = open
      pswp.destroy()
    },
  }
}
