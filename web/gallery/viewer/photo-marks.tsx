import { effect } from '@preact/signals'
import type PhotoSwipe from 'photoswipe'
import { type ComponentChild, render } from 'preact'
import { fitSize } from '../../shared/picture/linked-view.ts'
import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handleLoadFailure, handlePreloadFailure } from '../parts/open-dialog.tsx'
import { openLayer } from '../state/history-layers.ts'
import { canAnnotate } from '../state/page.ts'
import type { PictureFrame } from '../threads/mark-geometry.ts'
import type { ViewerSlide } from './picture-slide.ts'
import { isDrawing, isPlaying, shownSize, viewerState } from './viewer-state.ts'

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

/** Adds a layer above the photos. Returns a function that draws in it, once the viewer is there. */
export function addLayer(pswp: PhotoSwipe, name: string): (content: ComponentChild) => void {
  let place: HTMLElement | null = null
  const onInit = (element: HTMLElement) => {
    place = element
  }
  pswp.on('uiRegister', () => pswp.ui?.registerElement({ name, className: `viewer-${name}`, appendTo: 'root', onInit }))
  return (content) => place && render(content, place)
}

/** Shows pins and boxes on the photos, except during a slide show. */
export function showMarks(pswp: PhotoSwipe): void {
  const draw = addLayer(pswp, 'marks')
  pswp.on('change', () => {
    isDrawing.value = false
  })
  let hasEnded = false
  let endLayer: (() => void) | null = null
  async function load(): Promise<void> {
    const { MarkLayer } = await loadMarkLayer()
    if (hasEnded || endLayer || !pswp.scrollWrap) return
    const frame = createFrame(pswp, pswp.scrollWrap, true)
    endLayer = effect(() => {
      const photoId = viewerState.value?.photoId
      const isShown = photoId !== undefined && !isPlaying.value
      draw(isShown && <MarkLayer photoId={photoId} frame={frame} isDrawing={isDrawing} />)
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
    draw(null)
  })
}

/** `isOfVersion`: whether an earlier version that is shown over the photo is the picture. */
export function createFrame(pswp: PhotoSwipe, gestures: HTMLElement, isOfVersion = false): PictureFrame {
  const getBox = () => {
    const { element: image, data } = pswp.currSlide?.content ?? {}
    const isSizeKnown = Boolean((data as ViewerSlide | undefined)?.tile.width)
    if (!pswp.opener.isOpen || !isSizeKnown || !(image instanceof HTMLImageElement)) return null
    const box = image.getBoundingClientRect()
    if (box.width === 0) return null
    const size = isOfVersion ? shownSize.peek() : null
    if (!size) return box
    const { width, height } = fitSize(box, size)
    return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height }
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
      const end = shownSize.subscribe(wake)
      return () => {
        end()
        cancelAnimationFrame(request)
        for (const name of movingEvents) pswp.off(name, wake)
      }
    },
  }
}
