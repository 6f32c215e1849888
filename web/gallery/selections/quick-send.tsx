import { signal } from '@preact/signals'
import type { SelectionBody, SelectionReply } from '../../../contract/gallery/selections.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { ApiError } from '../../shared/api-error.ts'
import { guestEmail, guestName } from '../marks/guest-name.ts'
import {
  checkWithdrawn,
  isSelectionChanged,
  lastSelection,
  recordSelection,
  reloadSelection,
} from '../marks/last-selection.ts'
import { getRetryDelayMs } from '../marks/mark-outcome.ts'
import { waitingMarks } from '../marks/own-marks.ts'
import { roundHooks } from '../marks/round-hooks.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { hideNotice, lines, showNotice } from '../parts/notices.tsx'
import { isDialogOpen } from '../parts/open-dialog.tsx'
import { pickFilter, t } from '../state/page.ts'
import { counts } from '../state/photos.ts'
import { awaitNotification } from './await-notification.ts'
import { isReceived } from './delivery-rules.ts'
import { focusPicksBar } from './focus-picks-bar.ts'
import { readPending, refusedField, sendStage, storePending, withdrawPending } from './pending-selection.ts'
import { submitSelection } from './submit-selection.ts'

// After the dialog, a guest has some seconds to undo the sending. The countdown stands still
// while a dialog is open, or while the pointer or the focus is on the line. It ends when the page is left.

const graceMs = 8_000
const tickMs = 250
/** A second tap within this time is part of a double tap. */
const doubleTapMs = 1_000
const sentMs = 10_000

let elapsedMs = 0
let startedAt = 0
let ticker: ReturnType<typeof setInterval> | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let attempts = 0
const submitted = signal<SelectionReply | null>(null)
const isSessionOver = signal(false)

/** Begins the countdown. During the countdown, or while the selection waits for a connection, it sends now. */
export function beginSending(): void {
  if (sendStage.peek() === 'waiting') return void deliver()
  if (sendStage.peek() === 'counting') {
    if (Date.now() - startedAt > doubleTapMs) void deliver()
    return
  }
  if (sendStage.peek() === 'sending') return
  hideNotice()
  enter('counting')
  elapsedMs = 0
  startedAt = Date.now()
  ticker = setInterval(tick, tickMs)
  // The guest may have left the page while this module was loaded.
  if (document.visibilityState === 'hidden') void deliver()
}

/** Sends a selection that an earlier visit could not send. */
export function resumeSending(): void {
  attempts = 1
  void deliver()
}

function enter(stage: typeof sendStage.value): void {
  lines.value = { ...lines.peek(), send: SendLine }
  sendStage.value = stage
  clearInterval(ticker)
  clearTimeout(retry)
  const isOpen = stage === 'counting' || stage === 'waiting'
  const change = isOpen ? 'addEventListener' : 'removeEventListener'
  document[change]('visibilitychange', onVisibilityChange)
  window[change]('pagehide', onLeave)
  window[change]('online', onReturn)
}

const onVisibilityChange = (): void => (document.visibilityState === 'hidden' ? onLeave() : onReturn())

function onLeave(): void {
  if (sendStage.peek() === 'counting') void deliver()
}

function onReturn(): void {
  if (sendStage.peek() === 'waiting') void deliver()
}

function tick(): void {
  if (counts.peek()[pickFilter] === 0) undo()
  if (sendStage.peek() !== 'counting' || isPaused()) return
  elapsedMs += tickMs
  if (elapsedMs >= graceMs) void deliver()
}

function isPaused(): boolean {
  const line = document.querySelector('.send-line')
  const hasPointer = matchMedia('(hover: hover)').matches && line?.matches(':hover') === true
  return isDialogOpen() || hasPointer || line?.contains(document.activeElement) === true
}

async function deliver(): Promise<void> {
  const pending = readPending()
  if (!pending) {
    // Another window has sent or undone it.
    enter(null)
    return reloadSelection().catch(() => undefined)
  }
  enter('sending')
  try {
    // The response to an earlier attempt may be lost, and the service forgets keys after a day.
    if (attempts > 0 || pending.followsUnknown) await reloadSelection()
    const sentAt = lastSelection.peek()?.created_at ?? null
    // The service does not know of waiting marks.
    const isChanged = isSelectionChanged.peek() || waitingMarks.peek() > 0
    if (isReceived(pending, { sentAt, isChanged })) {
      end(null)
      roundHooks.peek()?.recordSent(null)
      return awaitNotification()
    }
    const { followsUnknown, ...known } = pending
    if (followsUnknown) storePending({ ...known, before: sentAt })
    finish(await submitSelection(pending.body ?? { note: null }, pending.key), pending.body)
  } catch (error) {
    handleFailure(error)
  }
}

function finish(reply: SelectionReply, given: SelectionBody | undefined): void {
  if (given?.guest_name) guestName.value = given.guest_name
  if (given?.guest_email) guestEmail.value = given.guest_email
  submitted.value = reply
  recordSelection(reply)
  roundHooks.peek()?.recordSent(reply)
  if (reply.is_notifying) awaitNotification()
  end('sent')
  setTimeout(() => {
    if (sendStage.peek() === 'sent') enter(null)
  }, sentMs)
}

function end(stage: 'sent' | null): void {
  attempts = 0
  isSessionOver.value = false
  storePending(null)
  enter(stage)
}

function handleFailure(error: unknown): void {
  if (isTemporary(error)) {
    isSessionOver.value = error instanceof ApiError && error.status === 401
    enter('waiting')
    retry = setTimeout(deliver, getRetryDelayMs(++attempts, Math.random()))
    return
  }
  withdraw()
  const field = (['guest_name', 'guest_email'] as const).find(
    (name) => error instanceof ApiError && error.paths.includes(name),
  )
  if (field) refusedField.value = field
  else showNotice(explain(error) ?? errorMessage(error), { isError: true })
}

const explain = (error: unknown): string | null =>
  error instanceof ApiError ? (roundHooks.peek()?.explain(error.code) ?? null) : null

function withdraw(): void {
  withdrawPending()
  end(null)
}

function undo(): void {
  const wasAttempted = attempts > 0
  focusPicksBar()
  withdraw()
  if (wasAttempted) checkWithdrawn()
}

function SendLine() {
  const stage = sendStage.value
  const reply = submitted.value
  const count = counts.value[pickFilter]
  if (stage === null) return null
  if (stage === 'sent') {
    if (reply === null) return null
    const photos = formatPhotoCount(t, reply.count, reply.video_count)
    // The bar shows that the picks are sent.
    return <p class="heard">{t('submitted', { number: reply.number, photos })}</p>
  }
  const isWaiting = stage === 'waiting'
  return (
    <p class="waiting send-line">
      <span>
        {isWaiting ? t(isSessionOver.value ? 'sessionOver' : 'picksUnsent', { count }) : t('picksSending', { count })}
      </span>
      {isWaiting && isSessionOver.value && (
        <button type="button" class="link" onClick={() => location.reload()}>
          {t('openAgain')}
        </button>
      )}
      {stage !== 'sending' && (
        <button type="button" class="link" onClick={undo}>
          {t('undo')}
        </button>
      )}
    </p>
  )
}

const temporaryStatuses = [401, 408, 425, 429]

/** Returns whether a selection may be sent again. Also true for a response that is not from the service, which has no code. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  temporaryStatuses.includes(error.status) ||
  ['', 'IDEMPOTENCY_IN_PROGRESS'].includes(error.code)
