import './compare.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { must } from '../../../contract/must.ts'
import { fittedView, type Point, type View } from '../../shared/picture/linked-view.ts'
import { getPhotoLabel } from '../grid/tile.tsx'
import { makeOthersInert } from '../parts/block-page.ts'
import { applyMarkAction } from '../shortcuts/listen-to-shortcuts.ts'
import { findAction, handlesKeyItself, isMarkAction } from '../shortcuts/shortcut-table.ts'
import { t } from '../state/page.ts'
import { getPhoto, loadDetails, outline } from '../state/photos.ts'
import { areShortcutsOn } from '../state/shortcuts.ts'
import { CompareButton, type ComparedPicture, CompareFrame, type FrameActions } from './compare-frame.tsx'

const maxFrames = 4
const minFrames = 2
const zoomStep = 1.5
const panStep = 80

/** `pictures`: of a single photo, which are compared instead of several photos. */
type Props = { photoIds: readonly number[]; pictures?: readonly ComparedPicture[]; onClose: () => void }

/** Not a modal `<dialog>` element, because a modal element would cover the notices. */
export function Compare({ photoIds, pictures, onClose }: Props) {
  const [frames, setFrames] = useState(() => (pictures ? [...photoIds] : [...new Set(photoIds)].slice(0, maxFrames)))
  const [view, setView] = useState<View>(fittedView)
  const [focused, setFocused] = useState(0)
  const root = useRef<HTMLDivElement>(null)
  const actions = useRef(new Map<number, FrameActions>())
  const photos = outline.value
  const findPhotoIndex = (id: number) => photos.findIndex((photo) => photo.id === id)

  useLayoutEffect(() => holdFocus(must(root.current, 'root')), [])
  useEffect(() => {
    for (const id of frames) loadDetails(findPhotoIndex(id), findPhotoIndex(id) + 1).catch(() => undefined)
  }, [frames])

  const focusFrame = (index: number) => root.current?.querySelectorAll<HTMLElement>('.compare-stage')[index]?.focus()
  const step = (index: number, by: 1 | -1) => {
    const next = pictures ? null : findUnusedPhoto(frames, frames[index], by)
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
    if (handlesKeyItself(at, event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    const frame = { actions: focusedActions(), isWhole: view.zoom <= 1.01, onStep: (by: 1 | -1) => step(focused, by) }
    if (handleMoveKey(event.key, frame) || handleActionKey(event)) event.preventDefault()
  }
  const handleActionKey = (event: KeyboardEvent): boolean => {
    const action = findAction(event, areShortcutsOn.peek())
    if (action === 'close') onClose()
    else if (action === 'actualSize') focusedActions()?.toggle()
    else if (event.key === 'Delete') remove(focused)
    else if (isMarkAction(action)) return applyMarkAction(frames[focused] ?? 0, action)
    else return false
    return true
  }

  return (
    <div ref={root} class="compare" role="dialog" aria-modal="true" aria-label={t('compare')} onKeyDown={onKeyDown}>
      <header class="compare-head">
        <h2>{t('compare')}</h2>
        {frames.length < maxFrames && !pictures && (
          <CompareButton icon="compareAdd" name={t('compareAdd')} onClick={add} />
        )}
        <CompareButton icon="minus" name={t('zoomOut')} onClick={() => focusedActions()?.zoomBy(1 / zoomStep)} />
        <button type="button" class="round compare-button wide" onClick={() => focusedActions()?.toggle()}>
          {view.zoom > 1.01 ? t('zoomFit') : t('zoomActual')}
        </button>
        <CompareButton icon="plus" name={t('zoomIn')} onClick={() => focusedActions()?.zoomBy(zoomStep)} />
        <CompareButton icon="close" name={t('close')} onClick={onClose} />
      </header>
      <div class={`compare-frames of-${frames.length}`}>
        {frames.map((id, index) => {
          const photo = getPhoto(id).value
          if (!photo) return <section key={index} class="compare-frame" aria-busy="true" />
          const picture = pictures?.[index]
          const name = picture?.name ?? getPhotoLabel(photo, findPhotoIndex(id) + 1, photos.length)
          return (
            <CompareFrame
              key={index}
              photo={photo}
              picture={picture}
              name={name}
              label={t('compareFrame', { photo: name, number: index + 1, total: frames.length })}
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

/** Returns the id of the next photo in the direction `by` that no frame shows, or null. Wraps around at the ends. */
function findUnusedPhoto(frames: readonly number[], from: number | undefined, by: 1 | -1): number | null {
  const photos = outline.peek()
  const start = photos.findIndex(({ id }) => id === from)
  for (let steps = 1; steps < photos.length; steps++) {
    const { id } = must(photos.at((start + by * steps) % photos.length), 'photo')
    if (!frames.includes(id)) return id
  }
  return null
}

const arrows: Record<string, Point> = {
  ArrowLeft: { left: panStep, top: 0 },
  ArrowRight: { left: -panStep, top: 0 },
  ArrowUp: { left: 0, top: panStep },
  ArrowDown: { left: 0, top: -panStep },
}

type FocusedFrame = { actions: FrameActions | undefined; isWhole: boolean; onStep: (by: 1 | -1) => void }

function handleMoveKey(key: string, { actions, isWhole, onStep }: FocusedFrame): boolean {
  const arrow = arrows[key]
  if (key === '+' || key === '=') actions?.zoomBy(zoomStep)
  else if (key === '-') actions?.zoomBy(1 / zoomStep)
  else if (!arrow) return false
  else if (!isWhole) actions?.pan(arrow)
  else if (key === 'ArrowRight') onStep(1)
  else if (key === 'ArrowLeft') onStep(-1)
  return true
}

/** Focuses the first frame and makes the rest of the page inert, except notices. Returns a function to revert both. */
function holdFocus(root: HTMLElement): () => void {
  const before = document.activeElement
  const release = makeOthersInert([root, ...document.querySelectorAll('.notices')])
  root.querySelector<HTMLElement>('.compare-stage')?.focus()
  return () => {
    release()
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  }
}
