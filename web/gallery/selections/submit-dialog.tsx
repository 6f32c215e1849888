import { createRandomId } from '../../shared/create-random-id.ts'
import './submit-dialog.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { GalleryList, GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { thumbnailPath } from '../../../contract/gallery/gallery-tiles.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { formatMixed } from '../filters/photo-counts.tsx'
import { NameFields } from '../guest/name-dialog.tsx'
import { guestEmail, guestName } from '../marks/guest-name.ts'
import { formatSentDay, isSelectionChanged, lastSelection } from '../marks/last-selection.ts'
import { waitingMarks } from '../marks/own-marks.ts'
import { roundHooks } from '../marks/round-hooks.ts'
import { Field, handleSubmit } from '../parts/field.tsx'
import { Sheet, typedFirst } from '../parts/sheet.tsx'
import { call } from '../state/api.ts'
import { page, pickFilter, t } from '../state/page.ts'
import { counts, videoCount } from '../state/photos.ts'
import { storeDraft, storedDraft } from '../state/stored-draft.ts'
import { noteStorageKey, storeNewPending, takeRefusedField } from './pending-selection.ts'
import { beginSending } from './send-pending.ts'

const previewCount = 6

/** Asks for a message, and for a name if it is missing. Sends after a countdown, in which the guest can undo it. */
export function SubmitDialog({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title={t('sendPicks')} onClose={onClose}>
      <SubmitForm onClose={onClose} />
    </Sheet>
  )
}

function SubmitForm({ onClose }: { onClose: () => void }) {
  const [refused] = useState(takeRefusedField)
  const [isNameless] = useState(!guestName.peek() || refused !== null)
  const needsName = (page.feedback.require_guest_name && isNameless) || refused === 'guest_name'
  const name = useSignal(guestName.peek() ?? '')
  const email = useSignal(guestEmail.peek() ?? '')
  const [note, setNote] = useState(() => storedDraft(noteStorageKey) ?? '')
  const [trouble, setTrouble] = useState(() => ({
    ...(refused === 'guest_name' && { name: t('nameMissing') }),
    ...(refused === 'guest_email' && { email: t('emailWrong') }),
  }))
  const button = useRef<HTMLButtonElement>(null)
  const waiting = waitingMarks.value
  const before = lastSelection.value
  const count = counts.value[pickFilter]
  const pickedVideos = usePickedVideoCount()
  const round = roundHooks.value
  const problem = round?.findSendProblem() ?? null

  async function send(): Promise<void> {
    if (problem !== null) return
    const given = isNameless ? { guest_name: name.value.trim(), guest_email: email.value.trim() } : {}
    if (needsName && given.guest_name === '') return setTrouble({ name: t('nameMissing') })
    storeNewPending(createRandomId(), { note: note.trim() || null, ...given })
    storeDraft(noteStorageKey, null)
    if (button.current) stopSecondTap(button.current)
    onClose()
    beginSending()
  }

  return (
    <form class="form" noValidate onSubmit={handleSubmit(send)}>
      {problem === null && (
        <p>
          {t('submitCount', {
            count,
            photos: pickedVideos === null ? formatMixed(count) : formatPhotoCount(t, count, pickedVideos),
          })}
        </p>
      )}
      {before && (
        <p class="quiet">
          {t(isSelectionChanged.value ? 'submitChanged' : 'submitSame', {
            date: formatSentDay(before.created_at),
            photos: formatMixed(before.count),
          })}
        </p>
      )}
      {round && <round.Terms />}
      <PicksPreview />
      {isNameless && (
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
      <button ref={button} type="submit" class="button primary" aria-disabled={problem ? 'true' : undefined}>
        {t('submitNow')}
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

/** A second tap within this time is part of a double tap. */
const doubleTapMs = 500

/** Call it when a tap on the button closes a dialog, so that a double tap does not reach what is below. */
function stopSecondTap(button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const stop = (event: MouseEvent) => {
    const { clientX: x, clientY: y } = event
    if (x < left || x > right || y < top || y > bottom) return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, signal: AbortSignal.timeout(doubleTapMs) })
}
