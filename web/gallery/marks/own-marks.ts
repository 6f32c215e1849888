import { computed, signal } from '@preact/signals'
import type { MyFeedback } from '../../../contract/feedback.ts'
import type { GalleryPhoto } from '../../../contract/gallery.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { askForSent, notePicks, sent } from '../picks/sent-picks.ts'
import { ApiError, call } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import { ask, asked, changePhoto, counts, layOver, photoOf } from '../state/photos.ts'
import type { Outcome } from './mark-answers.ts'
import { countsAfter, fieldsWith, inPlaceOf, keyOf, type MarkBody, type WaitingMark } from './waiting-mark.ts'

export const guestId = page.viewer.kind === 'guest' ? page.viewer.guest?.id : undefined

export const isOwn = (mark: WaitingMark): boolean => mark.slug === page.slug && mark.guestId === guestId

export const waiting = signal<ReadonlyMap<string, WaitingMark>>(new Map())
export const waitingMarks = computed(() => waiting.value.size)

/** Why marks are still waiting, once that takes longer than a moment. */
export const heldUpBy = signal<'connection' | 'session' | null>(null)

/** Keys of marks that `counts` does not include yet, because their photo is not loaded. */
const uncounted = new Set<string>()

function count(was: GalleryPhoto, is: GalleryPhoto): void {
  counts.value = countsAfter(counts.peek(), was, is)
  notePicks(is.id, was, is)
}

export function showBody(photoId: number, body: MarkBody): void {
  const photo = photoOf(photoId).peek()
  if (!photo) return
  count(photo, { ...photo, ...fieldsWith(body) })
  changePhoto(photoId, () => fieldsWith(body))
}

/** Returns the mark with the `before` value of a mark that it replaces. */
export function remember(mark: WaitingMark): WaitingMark {
  const key = keyOf(mark)
  const kept = inPlaceOf(waiting.peek().get(key), mark)
  waiting.value = new Map(waiting.peek()).set(key, kept)
  return kept
}

/** Returns false if another mark has replaced it. */
function forget(mark: WaitingMark): boolean {
  const key = keyOf(mark)
  if (waiting.peek().get(key)?.id !== mark.id) return false
  waiting.value = new Map([...waiting.peek()].filter(([other]) => other !== key))
  return true
}

export function showFromElsewhere(mark: WaitingMark): void {
  remember(mark)
  if (photoOf(mark.photoId).peek()) showBody(mark.photoId, mark.body)
  else uncounted.add(keyOf(mark))
}

/** Marks that the service has accepted. A list requested before `at` may not include them. */
const taken = new Map<string, { mark: WaitingMark; at: number }>()

/** Waiting marks also apply to photos that are loaded later. */
layOver((photo, askedAt) => {
  let shown = photo
  for (const { mark, at } of taken.values()) {
    if (mark.photoId === photo.id && at > askedAt) shown = { ...shown, ...fieldsWith(mark.body) }
  }
  for (const mark of waiting.peek().values()) {
    if (mark.photoId !== photo.id) continue
    const marked = { ...shown, ...fieldsWith(mark.body) }
    if (uncounted.delete(keyOf(mark))) count(shown, marked)
    shown = marked
  }
  return shown
})

let areCountsOld = false
let isListOld = false

export function handleOutcome(mark: WaitingMark, outcome: Outcome): void {
  if (!isOwn(mark)) return
  if (outcome.is === 'taken') {
    heldUpBy.value = null
    taken.set(keyOf(mark), { mark, at: performance.now() })
    if (forget(mark) && uncounted.delete(keyOf(mark))) areCountsOld = true
  }
  if (outcome.is !== 'refused' || !forget(mark)) return
  uncounted.delete(keyOf(mark))
  showBody(mark.photoId, mark.before)
  showNotice(t('markNotKept', { why: rejectionReason(outcome) }), { isAlarm: true })
  if (outcome.code === 'NOT_FOUND') isListOld = true
}

function rejectionReason({ status, code }: { status: number; code: string }): string {
  if (code === 'NOT_FOUND') return t('photoMissing')
  if (code === 'VALIDATION_ERROR') return t('markWithoutName')
  return errorMessage(new ApiError(status, { code }, 0))
}

export async function catchUp(): Promise<void> {
  try {
    if (areCountsOld) {
      const own = await call<typeof MyFeedback>('/my-feedback?limit=1')
      // The response may or may not include marks that are still waiting.
      const isAllThere = waiting.peek().size === 0
      if (isAllThere) counts.value = own.counts
      if (isAllThere && sent.peek()) await askForSent()
      areCountsOld = false
    }
    if (isListOld) await ask(asked.peek())
    isListOld = false
  } catch {
    // Retried next time; until then the page stays as it is.
  }
}
