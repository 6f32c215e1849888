import { effect } from '@preact/signals'
import type PhotoSwipe from 'photoswipe'
import { render } from 'preact'
import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handleLoadFailure, handlePreloadFailure } from '../parts/open-dialog.tsx'
import { openLayer } from '../state/history-layers.ts'
import { canAnnotate } from '../state/page.ts'
import type { PictureFrame } from '../threads/mark-geometry.ts'
import type { ViewerSlide } from './picture-slide.ts'
import { isDrawing, isPlaying, viewerState } from './viewer-state.ts'

const loadMarkLayer = loadWhenReachable(() => import('../threads/mark-layer.tsx'))

// Loaded with the viewer, so that guests can draw without a connection, and so that what waits is sent.
if (canAnnotate) loadMarkLayer().catch(handlePreloadFailure)

/** Events after which the picture can be elsewhere. */
const movingEvents = [
  'zoomPanUpdate',
  'beforeZoomTo',
  'moveMainScroll',
  'change',
  'resize',
  'imageSizeChange',
  'openingAnimationEnd',
  'loadComplete',
] as const

const stillFramesMax = 30

/** Shows pins and boxes on the photos, except during a slide show. */
export function showMarks(pswp: PhotoSwipe): void {
  let place: HTMLElement | null = null
  const onInit = (element: HTMLElement) => {
    place = element
  }
  pswp.on('uiRegister', () =>
    pswp.ui?.registerElement({ name: 'marks', className: 'viewer-marks', appendTo: 'root', onInit }),
  )
  pswp.on('change', () => {
    isDrawing.value = false
  })
  let hasEnded = false
  let endLayer: (() => void) | null = null
  async function load(): Promise<void> {
    const { MarkLayer } = await loadMarkLayer()
    if (hasEnded || endLayer || !place || !pswp.scrollWrap) return
    const element = place
    const frame = createFrame(pswp, pswp.scrollWrap)
    endLayer = effect(() => {
      const photoId = viewerState.value?.photoId
      const isShown = photoId !== undefined && !isPlaying.value
      render(isShown ? <MarkLayer photoId={photoId} frame={frame} isDrawing={isDrawing} /> : null, element)
    })
  }
  load().catch(() => undefined)
  const endDrawing = effect(() => {
    if (isPlaying.value) isDrawing.value = false
    if (!isDrawing.value) return
    load().catch(() => {
      isDrawing.value = false
      void handleLoadFailure()
    })
    return openLayer(() => {
      isDrawing.value = false
    })
  })
  pswp.on('destroy', () => {
    hasEnded = true
    isDrawing.value = false
    endDrawing()
    endLayer?.()
    if (place) render(null, place)
  })
}

function createFrame(pswp: PhotoSwipe, gestures: HTMLElement): PictureFrame {
  const getBox = () => {
    const { element: image, data } = pswp.currSlide?.content ?? {}
    const isSizeKnown = Boolean((data as ViewerSlide | undefined)?.tile.width)
    if (!pswp.opener.isOpen || !isSizeKnown || !(image instanceof HTMLImageElement)) return null
    const box = image.getBoundingClientRect()
    return box.width > 0 ? box : null
  }
  return {
    getBox,
    gestures,
    follow(element) {
      let request = 0
      let stillFrames = 0
      let style = ''
      const update = () => {
        const box = getBox()
        const next = box
          ? `left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`
          : 'display:none'
        stillFrames = next === style ? stillFrames + 1 : 0
        style = next
        element.style.cssText = next
        request = stillFrames < stillFramesMax ? requestAnimationFrame(update) : 0
      }
      const wake = () => {
        stillFrames = 0
        request ||= requestAnimationFrame(update)
      }
      for (const name of movingEvents) pswp.on(name, wake)
      update()
      return () => {
        cancelAnimationFrame(request)
        for (const name of movingEvents) pswp.off(name, wake)
      }
    },
  }
}
