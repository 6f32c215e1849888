import { computed, signal } from '@preact/signals'
import type { MyFeedback } from '../../../contract/feedback.ts'
import type { GalleryPhoto } from '../../../contract/gallery.ts'
import { wordsFor } from '../parts/error-messages.ts'
import { tell } from '../parts/notices.tsx'
import { askForSent, notePicks, sent } from '../picks/sent-picks.ts'
import { ApiError, call } from '../state/api.ts'
import { page, say } from '../state/page.ts'
import { ask, asked, changePhoto, counts, layOver, photoOf } from '../state/photos.ts'
import type { Outcome } from './mark-answers.ts'
import { countsAfter, fieldsWith, inPlaceOf, keyOf, type MarkBody, type WaitingMark } from './waiting-mark.ts'

export const guestId = page.viewer.kind === 'guest' ? page.viewer.guest?.id : undefined

/** Of this guest in this gallery. */
export const isOwn = (mark: WaitingMark): boolean => mark.slug === page.slug && mark.guestId === guestId

/** The guest's marks that have not reached the service yet, by key: as the store has them. */
export const waiting = signal<ReadonlyMap<string, WaitingMark>>(new Map())
export const waitingMarks = computed(() => waiting.value.size)

/** Why they are still here, when it takes longer than a moment. */
export const heldUpBy = signal<'connection' | 'session' | null>(null)

/** Not in the counts of the page yet: its photo has not been loaded. */
const uncounted = new Set<string>()

/** What a photo had been given is something else now. */
function count(was: GalleryPhoto, is: GalleryPhoto): void {
  counts.value = countsAfter(counts.peek(), was, is)
  notePicks(is.id, was, is)
}

/** Changes what the page shows of a photo and counts, and nothing else. */
export function showBody(photoId: number, body: MarkBody): void {
  const photo = photoOf(photoId).peek()
  if (!photo) return
  count(photo, { ...photo, ...fieldsWith(body) })
  changePhoto(photoId, () => fieldsWith(body))
}

/** Answers it as it waits now. */
export function remember(mark: WaitingMark): WaitingMark {
  const key = keyOf(mark)
  const kept = inPlaceOf(waiting.peek().get(key), mark)
  waiting.value = new Map(waiting.peek()).set(key, kept)
  return kept
}

/** False where it waits no more as it was: what has taken its place stays. */
function forget(mark: WaitingMark): boolean {
  const key = keyOf(mark)
  if (waiting.peek().get(key)?.id !== mark.id) return false
  waiting.value = new Map([...waiting.peek()].filter(([other]) => other !== key))
  return true
}

/** Shows a mark that was given elsewhere: in another window, or before the page was opened. */
export function showFromElsewhere(mark: WaitingMark): void {
  remember(mark)
  if (photoOf(mark.photoId).peek()) showBody(mark.photoId, mark.body)
  else uncounted.add(keyOf(mark))
}

/** What has reached the service, and when: a list asked for before may not have it. */
const taken = new Map<string, { mark: WaitingMark; at: number }>()

/** Whatever the service says of photos that are loaded later, what waits is shown over it. */
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

/** What comes of a mark: gone from what waits, or taken back, told and shown as it was. */
export function hear(mark: WaitingMark, outcome: Outcome): void {
  if (!isOwn(mark)) return
  if (outcome.is === 'taken') {
    heldUpBy.value = null
    taken.set(keyOf(mark), { mark, at: performance.now() })
    if (forget(mark) && uncounted.delete(keyOf(mark))) areCountsOld = true
  }
  if (outcome.is !== 'refused' || !forget(mark)) return
  uncounted.delete(keyOf(mark))
  showBody(mark.photoId, mark.before)
  tell(say('markNotKept', { why: whyRefused(outcome) }), { isAlarm: true })
  if (outcome.code === 'NOT_FOUND') isListOld = true
}

function whyRefused({ status, code }: { status: number; code: string }): string {
  if (code === 'NOT_FOUND') return say('photoMissing')
  if (code === 'VALIDATION_ERROR') return say('markWithoutName')
  return wordsFor(new ApiError(status, { code }, 0))
}

/** Asks the service for what cannot be known otherwise. */
export async function catchUp(): Promise<void> {
  try {
    if (areCountsOld) {
      const own = await call<typeof MyFeedback>('/my-feedback?limit=1')
      // What has been given meanwhile may be in it or not.
      const isAllThere = waiting.peek().size === 0
      if (isAllThere) counts.value = own.counts
      if (isAllThere && sent.peek()) await askForSent()
      areCountsOld = false
    }
    if (isListOld) await ask(asked.peek())
    isListOld = false
  } catch {
    // Next time; until then the page shows what it knew.
  }
}
