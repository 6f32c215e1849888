import './compare.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { getPhotoLabel } from '../grid/tile.tsx'
import { applyMark, isPicked } from '../marks/apply-mark.ts'
import { Icon } from '../parts/icon.tsx'
import { findAction, handlesKeyItself } from '../shortcuts/shortcut-table.ts'
import { canColor, canRate, t } from '../state/page.ts'
import { getPhoto, loadDetails, outline } from '../state/photos.ts'
import { areShortcutsOn } from '../state/shortcuts.ts'
import { makeOthersInert } from '../viewer/make-others-inert.ts'
import { CompareFrame, type FrameActions } from './compare-frame.tsx'
import { fittedView, type View } from './linked-view.ts'

const maxFrames = 4
const minFrames = 2
const zoomStep = 1.5
const panStep = 80

type Props = { photoIds: readonly number[]; onClose: () => void }

/** This is not a modal dialog element, because that would cover the notices. */
export function Compare({ photoIds, onClose }: Props) {
  const [frames, setFrames] = useState(() => [...new Set(photoIds)].slice(0, maxFrames))
  const [view, setView] = useState<View>(fittedView)
  const [focused, setFocused] = useState(0)
  const root = useRef<HTMLDivElement>(null)
  const actions = useRef(new Map<number, FrameActions>())
  const photos = outline.value
  const findPhotoIndex = (id: number) => photos.findIndex((photo) => photo.id === id)

  useModalFocus(root)
  useEffect(() => {
    for (const id of frames) loadDetails(findPhotoIndex(id), findPhotoIndex(id) + 1).catch(() => undefined)
  }, [frames])

  const focusFrame = (index: number) => root.current?.querySelectorAll<HTMLElement>('.compare-stage')[index]?.focus()
  const step = (index: number, by: 1 | -1) => {
    const next = findUnusedPhoto(frames, frames[index], by)
    if (next !== null) setFrames(frames.with(index, next))
  }
  const add = () => {
    const next = findUnusedPhoto(frames, frames.at(-1), 1)
    if (next !== null) setFrames([...frames, next])
  }
  const remove = (index: number) => {
    if (frames.length <= minFrames) return
    setFrames(frames.toSpliced(index, 1))
    focusFrame(index === 0 ? 1 : index - 1)
    setFocused(Math.max(0, index - 1))
  }
  const focusedActions = () => actions.current.get(focused)

  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    event.stopPropagation()
    const at = event.target as HTMLElement
    if (handlesKeyItself({ tagName: at.tagName, isEditable: at.isContentEditable }, event.key)) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isDone =
      handleMoveKey(event.key, {
        frame: focusedActions(),
        isWhole: view.zoom <= 1.01,
        onStep: (by) => step(focused, by),
      }) ||
      handleMarkKey(event, frames[focused] ?? 0) ||
      handleActionKey(event)
    if (isDone) event.preventDefault()
  }
  const handleActionKey = (event: KeyboardEvent): boolean => {
    const action = findAction(event, areShortcutsOn.peek())
    if (action === 'close') onClose()
    else if (action === 'actualSize') focusedActions()?.toggle()
    else if (event.key === 'Delete') remove(focused)
    else return false
    return true
  }

  return (
    <div ref={root} class="compare" role="dialog" aria-modal="true" aria-label={t('compare')} onKeyDown={onKeyDown}>
      <header class="compare-head">
        <h2>{t('compare')}</h2>
        {frames.length < maxFrames && (
          <button type="button" class="round compare-button" aria-label={t('compareAdd')} onClick={add}>
            <Icon name="compareAdd" />
          </button>
        )}
        <button
          type="button"
          class="round compare-button"
          aria-label={t('zoomOut')}
          onClick={() => focusedActions()?.zoomBy(1 / zoomStep)}
        >
          <Icon name="minus" />
        </button>
        <button type="button" class="round compare-button wide" onClick={() => focusedActions()?.toggle()}>
          {view.zoom > 1.01 ? t('zoomFit') : t('zoomActual')}
        </button>
        <button
          type="button"
          class="round compare-button"
          aria-label={t('zoomIn')}
          onClick={() => focusedActions()?.zoomBy(zoomStep)}
        >
          <Icon name="plus" />
        </button>
        <button type="button" class="round compare-button" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class={`compare-frames of-${frames.length}`}>
        {frames.map((id, index) => {
          const photo = getPhoto(id).value
          if (!photo) return <section key={index} class="compare-frame" aria-busy="true" />
          return (
            <CompareFrame
              key={index}
              photo={photo}
              name={getPhotoLabel(photo, findPhotoIndex(id) + 1, photos.length)}
              number={index + 1}
              total={frames.length}
              view={view}
              onViewChange={setView}
              isFocused={index === focused}
              onFocus={() => setFocused(index)}
              actions={(done) => actions.current.set(index, done)}
              onStep={(by) => step(index, by)}
              onRemove={frames.length > minFrames ? () => remove(index) : null}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Wraps around at the ends. Returns null when all photos are shown. */
function findUnusedPhoto(frames: readonly number[], from: number | undefined, by: 1 | -1): number | null {
  const photos = outline.peek()
  const start = photos.findIndex(({ id }) => id === from)
  for (let steps = 1; steps < photos.length; steps++) {
    const { id = 0 } = photos.at((start + by * steps) % photos.length) ?? {}
    if (id && !frames.includes(id)) return id
  }
  return null
}

type MoveKeyContext = { frame: FrameActions | undefined; isWhole: boolean; onStep: (by: 1 | -1) => void }

const arrows: Record<string, [left: number, top: number]> = {
  ArrowLeft: [panStep, 0],
  ArrowRight: [-panStep, 0],
  ArrowUp: [0, panStep],
  ArrowDown: [0, -panStep],
}

function handleMoveKey(key: string, { frame, isWhole, onStep }: MoveKeyContext): boolean {
  const arrow = arrows[key]
  if (key === '+' || key === '=') frame?.zoomBy(zoomStep)
  else if (key === '-') frame?.zoomBy(1 / zoomStep)
  else if (!arrow) return false
  else if (!isWhole) frame?.pan(...arrow)
  else if (key === 'ArrowRight') onStep(1)
  else if (key === 'ArrowLeft') onStep(-1)
  return true
}

/** The key of the current color clears it. */
function handleMarkKey(event: KeyboardEvent, photoId: number): boolean {
  const photo = getPhoto(photoId).peek()
  const action = findAction(event, areShortcutsOn.peek())
  if (!photo || action === null) return false
  if (action === 'pick') void applyMark(photoId, { kind: 'pick', isPicked: !isPicked(photo) })
  else if (typeof action !== 'object') return false
  else if ('rating' in action) canRate && void applyMark(photoId, { kind: 'rating', rating: action.rating })
  else if (canColor) {
    void applyMark(photoId, { kind: 'color', color: photo.my_color_label === action.color ? null : action.color })
  }
  return true
}

function useModalFocus(root: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    if (!root.current) return
    const before = document.activeElement
    const release = makeOthersInert([root.current, ...document.querySelectorAll('.notices')])
    root.current.querySelector<HTMLElement>('.compare-stage')?.focus()
    return () => {
      release()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
}
