import { useEffect, useRef } from 'preact/hooks'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { maxPictureWidth, pictureSrcset, thumbnailPath } from '../../../contract/gallery/gallery-tiles.ts'
import { colorLabels } from '../../../contract/marks.ts'
import { watchGestures } from '../../shared/picture/gestures.ts'
import {
  fitSize,
  fittedView,
  getActualZoom,
  getMaxZoom,
  getPhotoOffset,
  type Point,
  panView,
  type Size,
  type View,
  zoomView,
} from '../../shared/picture/linked-view.ts'
import { ColorButton, PickButton, StarButton } from '../marks/mark-buttons.tsx'
import { AnyIcon, type AnyIconName } from '../parts/any-icon.tsx'
import { useMeasured } from '../parts/use-measured.ts'
import { canColor, canRate, page, pickKind, t } from '../state/page.ts'

export type FrameActions = { zoomBy: (factor: number) => void; pan: (by: Point) => void; toggle: () => void }

/** A picture of the photo that is compared instead of the photo itself. */
export type ComparedPicture = { name: string; srcset: string } & Pick<GalleryPhoto, 'width' | 'height'>

type Props = {
  photo: GalleryPhoto
  picture?: ComparedPicture | undefined
  name: string
  /** The accessible name of the frame. */
  label: string
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
  const { photo, picture, name, label, view, onViewChange, isFocused, onFocus, actions, onStep, onRemove } = props
  const stage = useRef<HTMLDivElement>(null)
  const frame = useMeasured(stage, ({ clientWidth: width, clientHeight: height }) => ({ width, height })) ?? noSize
  const { width, height } = picture ?? photo
  const size = { width: width ?? 3, height: height ?? 2 }
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
        // If the actual size is not clearly larger than the fitted size, show twice the fitted size.
        const actual = getActualZoom(latest.current.frame, latest.current.size, devicePixelRatio)
        return zoomView(view, actual > 1.2 ? actual : 2, at, limits())
      })
    actions({ zoomBy: (factor) => zoomBy(factor, center), pan, toggle: () => toggle(center) })
    return watchGestures(element, { pan, zoomBy, toggle })
  }, [])

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <section
      class={`compare-frame${isFocused ? ' focused' : ''}`}
      role="group"
      aria-label={label}
      onFocusCapture={onFocus}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: shortcuts apply to the focused frame */}
      <div ref={stage} class="compare-stage" tabIndex={0} role="img" aria-label={name} onPointerDown={onFocus}>
        {frame.width > 0 && <Picture key={photo.id} {...{ photo, picture, frame, size, view }} />}
      </div>
      <div class="compare-name">
        <bdi>{picture?.name ?? photo.original_filename}</bdi>
        {!picture && (
          <>
            <CompareButton icon="previous" name={t('comparePrevious')} onClick={() => onStep(-1)} />
            <CompareButton icon="next" name={t('compareNext')} onClick={() => onStep(1)} />
          </>
        )}
        {onRemove && <CompareButton icon="close" name={t('compareRemove')} onClick={onRemove} />}
      </div>
      {!picture && <CompareMarks photo={photo} name={name} />}
    </section>
  )
}

export const CompareButton = ({ icon, name, onClick }: { icon: AnyIconName; name: string; onClick: () => void }) => (
  <button type="button" class="round compare-button" aria-label={name} onClick={onClick}>
    <AnyIcon name={icon} />
  </button>
)

const noSize: Size = { width: 0, height: 0 }
const center: Point = { left: 0, top: 0 }

type PictureProps = Pick<Props, 'photo' | 'picture' | 'view'> & { frame: Size; size: Size }

/** Requests the width for the largest zoom so far. Until the picture is loaded, the thumbnail is visible. */
function Picture({ photo, picture, frame, size, view }: PictureProps) {
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
      {!picture && (
        <img class="compare-picture" src={thumbnailPath(page, photo.id)} alt="" style={style} draggable={false} />
      )}
      <img
        class="compare-picture"
        sizes={`${widest.current}px`}
        srcset={picture?.srcset ?? pictureSrcset(page, photo, maxPictureWidth)}
        alt=""
        style={style}
        draggable={false}
      />
    </>
  )
}

/** The mark buttons of one photo. They share one tab stop, and the arrow keys move between them. */
function CompareMarks({ photo, name }: { photo: GalleryPhoto; name: string }) {
  if (pickKind === null && !canRate && !canColor) return null
  return (
    <div class="compare-marks" role="toolbar" aria-label={t('compareMarks', { photo: name })} onKeyDown={moveFocus}>
      <PickButton photo={photo} name={name} class="compare-button heart" />
      {canRate &&
        [1, 2, 3, 4, 5].map((rating) => (
          <StarButton
            key={rating}
            photo={photo}
            rating={rating}
            class="compare-button"
            tabIndex={pickKind || rating > 1 ? -1 : 0}
          />
        ))}
      {canColor &&
        colorLabels.map((color, index) => (
          <ColorButton
            key={color}
            photo={photo}
            color={color}
            class="compare-button"
            tabIndex={pickKind || canRate || index > 0 ? -1 : 0}
          />
        ))}
    </div>
  )
}

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
  const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[event.key]
  if (!step) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(event.target as HTMLButtonElement)
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
  event.stopPropagation()
}
