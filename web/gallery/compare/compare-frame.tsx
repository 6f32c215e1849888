import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { pictureSrcset, pictureWidths, thumbnailPath } from '../../../contract/gallery/gallery-tiles.ts'
import { Icon } from '../parts/icon.tsx'
import { page, t } from '../state/page.ts'
import { CompareMarks } from './compare-marks.tsx'
import { watchGestures } from './gestures.ts'
import {
  fitSize,
  fittedView,
  getActualZoom,
  getMaxZoom,
  getPhotoOffset,
  panView,
  type Size,
  type View,
  zoomView,
} from './linked-view.ts'

export type FrameActions = {
  zoomBy: (factor: number) => void
  pan: (left: number, top: number) => void
  toggle: () => void
}

type Props = {
  photo: GalleryPhoto
  name: string
  number: number
  total: number
  view: View
  onViewChange: (change: (view: View) => View) => void
  isFocused: boolean
  onFocus: () => void
  actions: (actions: FrameActions) => void
  onStep: (step: 1 | -1) => void
  /** Null when no frame can be removed. */
  onRemove: (() => void) | null
}

export function CompareFrame(props: Props) {
  const { photo, name, number, total, view, onViewChange, isFocused, onFocus, actions, onStep, onRemove } = props
  const stage = useRef<HTMLDivElement>(null)
  const frame = useSize(stage)
  const size = { width: photo.width ?? 3, height: photo.height ?? 2 }
  const latest = useRef({ frame, size })
  latest.current = { frame, size }

  useEffect(() => {
    const element = stage.current
    if (!element) return
    const limits = () => {
      const { frame, size: photo } = latest.current
      return { frame, photo, widest: getMaxZoom(frame, photo, devicePixelRatio) }
    }
    const zoomBy = (factor: number, at: Point) =>
      onViewChange((view) => zoomView(view, view.zoom * factor, at, limits()))
    const pan = (by: Point) => onViewChange((view) => panView(view, by, latest.current.frame, latest.current.size))
    const toggle = (at: Point) =>
      onViewChange((view) => {
        if (view.zoom > 1.01) return fittedView
        // Enlarge even a photo that has no more pixels to show.
        const actual = getActualZoom(latest.current.frame, latest.current.size, devicePixelRatio)
        return zoomView(view, actual > 1.2 ? actual : 2, at, limits())
      })
    actions({
      zoomBy: (factor) => zoomBy(factor, center),
      pan: (left, top) => pan({ left, top }),
      toggle: () => toggle(center),
    })
    return watchGestures(element, { pan, zoomBy, toggle })
  }, [])

  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields
    <section
      class={`compare-frame${isFocused ? ' focused' : ''}`}
      role="group"
      aria-label={t('compareFrame', { photo: name, number, total })}
      onFocusCapture={onFocus}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys of the comparison */}
      <div ref={stage} class="compare-stage" tabIndex={0} role="img" aria-label={name} onPointerDown={onFocus}>
        {frame.width > 0 && <Picture key={photo.id} photo={photo} frame={frame} size={size} view={view} />}
      </div>
      <div class="compare-name">
        <bdi>{photo.original_filename}</bdi>
        <button type="button" class="round compare-button" aria-label={t('comparePrevious')} onClick={() => onStep(-1)}>
          <Icon name="previous" />
        </button>
        <button type="button" class="round compare-button" aria-label={t('compareNext')} onClick={() => onStep(1)}>
          <Icon name="next" />
        </button>
        {onRemove && (
          <button type="button" class="round compare-button" aria-label={t('compareRemove')} onClick={onRemove}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <CompareMarks photo={photo} name={name} />
    </section>
  )
}

type Point = { left: number; top: number }
const center: Point = { left: 0, top: 0 }

type PictureProps = { photo: GalleryPhoto; frame: Size; size: Size; view: View }

/** Loads the width that the frame needs. The smaller picture stays visible until the larger one is loaded. */
function Picture({ photo, frame, size, view }: PictureProps) {
  const { width, height } = fitSize(frame, size)
  const { left, top } = getPhotoOffset(view, frame, size)
  const widest = useRef(0)
  widest.current = Math.max(widest.current, Math.ceil(width * view.zoom))
  const style = {
    width: `${width}px`,
    height: `${height}px`,
    transform: `translate(-50%, -50%) translate(${left}px, ${top}px) scale(${view.zoom})`,
  }
  return (
    <>
      <img class="compare-picture" src={thumbnailPath(page, photo.id)} alt="" style={style} draggable={false} />
      <img
        class="compare-picture"
        sizes={`${widest.current}px`}
        srcset={pictureSrcset(page, photo, pictureWidths.at(-1) ?? 0)}
        alt=""
        style={style}
        draggable={false}
      />
    </>
  )
}

function useSize(element: { current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const watched = element.current
    if (!watched) return
    const measure = () => setSize({ width: watched.clientWidth, height: watched.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(watched)
    return () => observer.disconnect()
  }, [])
  return size
}
