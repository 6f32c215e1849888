import './submit-dialog.css'
import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { GalleryList, GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { thumbnailPath } from '../../../contract/gallery/gallery-tiles.ts'
import type { SelectionBody, SelectionReply } from '../../../contract/gallery/guests.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { NameFields } from '../guest/name-dialog.tsx'
import { guestEmail, guestName } from '../marks/guest-name.ts'
import { waitingMarks } from '../marks/own-marks.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Field, handleSubmit, Trouble } from '../parts/field.tsx'
import { focusOnMount, Sheet, typedFirst } from '../parts/sheet.tsx'
import { ApiError, call, createIdempotencyKey, Unreachable } from '../state/api.ts'
import { page, pickFilter, t } from '../state/page.ts'
import { counts, videoCount } from '../state/photos.ts'
import { storeDraft, storedDraft } from '../state/stored-draft.ts'
import { formatMixed } from '../tools/photo-counts.tsx'
import { awaitNotification } from './await-notification.ts'
import { formatSentDay, isSelectionChanged, lastSelection, recordSelection } from './last-selection.ts'
import { isLeftToBar, noteStorageKey, storeNewPending } from './pending-selection.ts'
import { submitSelection } from './submit-selection.ts'

const previewCount = 6

export function SubmitDialog({ onClose }: { onClose: () => void }) {
  const [submitted, setSubmitted] = useState<SelectionReply | null>(null)
  return (
    <Sheet title={t('sendPicks')} onClose={onClose}>
      {submitted ? (
        <SubmitResult {...submitted} onClose={onClose} />
      ) : (
        <SubmitForm onSent={setSubmitted} onClose={onClose} />
      )}
    </Sheet>
  )
}

type FormProps = { onSent: (submitted: SelectionReply) => void; onClose: () => void }

function SubmitForm({ onSent, onClose }: FormProps) {
  const [isNameless] = useState(!guestName.peek())
  const [needsName, setNeedsName] = useState(page.feedback.require_guest_name && isNameless)
  const name = useSignal('')
  const email = useSignal(guestEmail.peek() ?? '')
  const [note, setNote] = useState(() => storedDraft(noteStorageKey) ?? '')
  const [trouble, setTrouble] = useState<{ name?: string; email?: string; all?: string }>({})
  const [isSending, setSending] = useState(false)
  const waiting = waitingMarks.value
  const before = lastSelection.value
  const count = counts.value[pickFilter]
  const pickedVideos = usePickedVideoCount()

  async function send(): Promise<void> {
    if (isSending) return
    const given = isNameless || needsName ? { guest_name: name.value.trim(), guest_email: email.value.trim() } : {}
    if (needsName && given.guest_name === '') return setTrouble({ name: t('nameMissing') })
    setSending(true)
    setTrouble({})
    const body = { note: note.trim() || null, ...given }
    try {
      const submitted = await submit(body)
      if (given.guest_name) guestName.value = given.guest_name
      if (given.guest_email) guestEmail.value = given.guest_email
      storeDraft(noteStorageKey, null)
      recordSelection(submitted)
      if (submitted.is_notifying) awaitNotification()
      onSent(submitted)
    } catch (error) {
      if (error instanceof Unreachable) return sendLater(body)
      const wrong = error instanceof ApiError ? error.paths : []
      if (wrong.includes('guest_name')) {
        // The gallery began to require names after the page was opened.
        setNeedsName(true)
        setTrouble({ name: t('nameMissing') })
      } else if (wrong.includes('guest_email')) setTrouble({ email: t('emailWrong') })
      else setTrouble({ all: errorMessage(error) })
      setSending(false)
    }
  }

  function sendLater(body: SelectionBody): void {
    storeNewPending(getAttemptKey(body), body)
    storeDraft(noteStorageKey, null)
    onClose()
    isLeftToBar.value = true
  }

  return (
    <form class="form" noValidate onSubmit={handleSubmit(send)}>
      <p>
        {t('submitCount', {
          count,
          photos: pickedVideos === null ? formatMixed(count) : formatPhotoCount(t, count, pickedVideos),
        })}
      </p>
      {before && (
        <p class="quiet">
          {t(isSelectionChanged.value ? 'submitChanged' : 'submitSame', {
            date: formatSentDay(before.created_at),
            photos: formatMixed(before.count),
          })}
        </p>
      )}
      <PicksPreview />
      {(isNameless || needsName) && (
        <NameFields {...{ name, email, trouble }} first={needsName ? typedFirst() : {}} isOptional={!needsName} />
      )}
      <Field label={t('submitNote')}>
        {(described) => (
          <textarea
            {...described}
            {...(!needsName && typedFirst())}
            rows={2}
            dir="auto"
            maxLength={maxNoteLength}
            value={note}
            onInput={({ currentTarget }) => {
              storeDraft(noteStorageKey, currentTarget.value)
              setNote(currentTarget.value)
            }}
          />
        )}
      </Field>
      <p class="quiet" role="status">
        {waiting > 0 && t('submitWaiting', { count: waiting })}
      </p>
      {trouble.all && <Trouble>{trouble.all}</Trouble>}
      <button type="submit" class="button primary" aria-disabled={isSending}>
        {isSending ? t('submitSending') : t('submitNow')}
      </button>
    </form>
  )
}

/** Returns null until it is known. A gallery without videos needs no request. */
function usePickedVideoCount(): number | null {
  const [count, setCount] = useState(videoCount.peek() > 0 ? null : 0)
  useEffect(() => {
    if (count !== null) return
    call<typeof GalleryList>(`/photos?filter=${pickFilter}&media_type=video&limit=1`)
      .then(({ pagination }) => setCount(pagination.filtered))
      .catch(() => undefined)
  }, [])
  return count
}

/** If the preview fails to load, the dialog works without it. */
function PicksPreview() {
  const [photos, setPhotos] = useState<GalleryPhoto[]>([])
  useEffect(() => {
    call<typeof GalleryList>(`/photos?filter=${pickFilter}&limit=${previewCount}`)
      .then((list) => setPhotos(list.photos))
      .catch(() => undefined)
  }, [])
  const more = counts.value[pickFilter] - photos.length
  return (
    <p class="submitted" aria-hidden="true">
      {photos.map(({ id }) => (
        <img key={id} src={thumbnailPath(page, id)} alt="" />
      ))}
      {photos.length > 0 && more > 0 && <span>+{more.toLocaleString(page.locale)}</span>}
    </p>
  )
}

function SubmitResult({ number, count, video_count, onClose }: SelectionReply & { onClose: () => void }) {
  const isNotified = lastSelection.value?.notified_at != null
  return (
    <>
      <p role="status">
        {t(isNotified ? 'submittedAndNotified' : 'submitted', {
          number,
          photos: formatPhotoCount(t, count, video_count),
        })}
      </p>
      <p class="quiet">{t('submittedAgain')}</p>
      <button type="button" class="button primary" ref={focusOnMount} onClick={onClose}>
        {t('done')}
      </button>
    </>
  )
}

let lastAttempt: { text: string; key: string } | null = null

/** Throws what `submitSelection` throws. */
async function submit(body: SelectionBody): Promise<SelectionReply> {
  const reply = await submitSelection(body, getAttemptKey(body))
  lastAttempt = null
  return reply
}

/** Returns the `Idempotency-Key`, which is the same for a repeated attempt with the same texts. */
function getAttemptKey(body: SelectionBody): string {
  const text = JSON.stringify(body)
  if (lastAttempt?.text !== text) lastAttempt = { text, key: createIdempotencyKey() }
  return lastAttempt.key
}
