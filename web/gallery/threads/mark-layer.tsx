import './mark-layer.css'
import { type Signal, signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { pictureUnits } from '../../../contract/gallery/thread-kinds.ts'
import type { GuestThread } from '../../../contract/gallery/threads.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { Icon } from '../parts/icon.tsx'
import { showNotice } from '../parts/notices.tsx'
import { openDialog } from '../parts/open-dialog.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { page, t } from '../state/page.ts'
import { DrawSurface } from './draw-surface.tsx'
import { type Mark, type PictureFrame, placeOf } from './mark-geometry.ts'
import { getThreads, isMarking, loadThreads } from './photo-threads.ts'
import { TextForm } from './text-form.tsx'
import { ThreadList } from './thread-list.tsx'
import { versionHooks } from './version-hooks.ts'
import { createTextDraft, sendText, waitingTexts } from './waiting-texts.ts'
import { watchThreads } from './watch-threads.ts'

type Props = { photoId: number; frame: PictureFrame; isDrawing: Signal<boolean> }

/** A guest who leafs through photos loads the threads only of those where he stays. */
const settleMs = 300

/** The pin or box that is being drawn. */
const drawn = signal<Mark | null>(null)

/** Shows the pins and boxes of a photo, and draws new ones. */
export function MarkLayer({ photoId, frame, isDrawing }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (place.current ? frame.follow(place.current) : undefined), [photoId])
  useEffect(() => {
    const timer = setTimeout(() => void loadThreads(photoId).catch(() => undefined), settleMs)
    return () => clearTimeout(timer)
  }, [photoId])
  const threads = getThreads(photoId).value ?? []
  const all = threads.filter(isMarking)
  const marks = page.feedback.keep_versions ? all.filter((mark) => versionHooks.value?.isDrawn(mark)) : all
  const hasMarks = all.length > 0
  const total = Math.max(0, ...all.map(({ number }) => number ?? 0))
  useEffect(() => (hasMarks ? watchThreads(photoId) : undefined), [photoId, hasMarks])
  const waiting = waitingTexts.value.filter((text) => text.photoId === photoId && text.threadId === null)
  return (
    <>
      <div ref={place} class="mark-layer">
        {marks.length > 0 && (
          // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore that a list without bullets is a list
          <ul role="list" aria-label={t('marks')}>
            {marks.map((thread) => (
              <li key={thread.id}>
                <Outline mark={thread} class={stateOf(thread)} />
                <Dot thread={thread} total={total} />
              </li>
            ))}
          </ul>
        )}
        {waiting.map(({ id, body: { x = 0, y = 0, ...body } }) => (
          <New key={id} mark={{ kind: 'pin', ...body, x, y }} isWaiting />
        ))}
        {drawn.value && <New mark={drawn.value} />}
      </div>
      {isDrawing.value && (
        <DrawSurface
          frame={frame}
          drawn={drawn}
          onLeave={() => stop(isDrawing)}
          onDrawn={() => write(photoId, isDrawing)}
        />
      )}
    </>
  )
}

function stop(isDrawing: Signal<boolean>): void {
  drawn.value = null
  isDrawing.value = false
}

/** Opens the form. If it closes without a text, the guest draws again. */
async function write(photoId: number, isDrawing: Signal<boolean>): Promise<void> {
  const mark = drawn.peek()
  if (mark) await openDialog(async () => NewMark, { photoId, mark, onSent: () => stop(isDrawing) })
  drawn.value = null
}

type Spot = { x: number | null; y: number | null; w?: number | null; h?: number | null }

const percent = (units: number | null | undefined) => `${((units ?? 0) / pictureUnits) * 100}%`
const cornerOf = ({ x, y }: Spot) => ({ left: percent(x), top: percent(y) })

const Outline = ({ mark, class: className }: { mark: Spot; class: string }) =>
  mark.w ? (
    <span
      class={`mark-outline ${className}`}
      style={{ ...cornerOf(mark), width: percent(mark.w), height: percent(mark.h) }}
    />
  ) : null

const stateNames = { open: 'markOpen', answered: 'markAnswered', done: 'markDone' } as const

const stateOf = ({ state, messages }: GuestThread): keyof typeof stateNames =>
  state === 'open' && messages.at(-1)?.by === 'operator' ? 'answered' : state

function Dot({ thread, total }: { thread: GuestThread; total: number }) {
  const { id, photo_id: photoId, kind, x, y, w, h } = thread
  const number = thread.number ?? 0
  const state = stateOf(thread)
  const place = t(placeOf({ x: x ?? 0, y: y ?? 0, w, h }))
  const key = kind === 'pin' ? 'markPinOf' : 'markBoxOf'
  const origin = versionHooks.value?.describeOrigin(thread)
  const name = [t(key, { number, total, place, state: t(stateNames[state]) }), origin].filter(Boolean).join(', ')
  return (
    <button
      type="button"
      class={`mark-dot ${state}`}
      style={cornerOf(thread)}
      aria-label={name}
      title={thread.text ?? name}
      onClick={() => void openDialog(async () => ThreadDialog, { photoId, threadId: id, number, kind })}
    >
      <span>
        {number}
        {state === 'done' && <Icon name="check" />}
      </span>
    </button>
  )
}

function New({ mark, isWaiting = false }: { mark: Mark; isWaiting?: boolean }) {
  const name = t(mark.kind === 'pin' ? 'markPinNew' : 'markBoxNew', { place: t(placeOf(mark)) })
  return (
    <>
      <Outline mark={mark} class="new" />
      <span
        class={`mark-dot new${isWaiting ? '' : ' drawn'}`}
        style={cornerOf(mark)}
        role="img"
        aria-label={isWaiting ? `${name}. ${t('textWaiting')}` : name}
      >
        <span>{isWaiting ? '···' : '+'}</span>
      </span>
    </>
  )
}

type ThreadDialogProps = { photoId: number | null; threadId: number; number: number; kind: string }

function ThreadDialog({ number, kind, onClose, ...thread }: ThreadDialogProps & { onClose: () => void }) {
  const [status, onStatus] = useState('')
  return (
    <Sheet title={t(kind === 'pin' ? 'markPin' : 'markBox', { number })} onClose={onClose}>
      <ThreadList
        {...thread}
        offlineText={t('marksUnloaded')}
        emptyText={t('textRemoved')}
        status={status}
        onStatus={onStatus}
      />
    </Sheet>
  )
}

type NewMarkProps = { photoId: number; mark: Mark; onSent: () => void; onClose: () => void }

function NewMark({ photoId, mark, onSent, onClose }: NewMarkProps) {
  const draft = createTextDraft({ photoId, threadId: null })
  return (
    <Sheet title={t(mark.kind === 'pin' ? 'markPinNew' : 'markBoxNew', { place: t(placeOf(mark)) })} onClose={onClose}>
      <TextForm
        label={t('markWrite')}
        hint={t('noteHint')}
        maxLength={maxNoteLength}
        draft={draft}
        isFocused
        write={async (text) => {
          const body = { ...mark, text }
          const id = draft.getKey(JSON.stringify(body))
          await sendText({ id, photoId, threadId: null, body })
          draft.remove()
          onSent()
          onClose()
          showNotice(t(waitingTexts.peek().some((text) => text.id === id) ? 'textWaiting' : 'markSent'))
        }}
      />
    </Sheet>
  )
}
