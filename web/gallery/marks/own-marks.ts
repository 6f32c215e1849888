import { computed, signal } from '@preact/signals'
import type { MyFeedback } from '../../../contract/feedback.ts'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { ApiError } from '../../shared/api-error.ts'
import { readStoredJson, writeStored } from '../../shared/browser-storage.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { call } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import { asked, counts, getPhoto, loadList, setOverlay, updatePhoto } from '../state/photos.ts'
import { lastSelection, recordPicks, reloadSelection } from './last-selection.ts'
import type { Outcome } from './mark-outcome.ts'
import { roundHooks } from './round-hooks.ts'
import {
  getMarkKey,
  type MarkBody,
  replaceMark,
  toPhotoFields,
  updateMarkCounts,
  type WaitingMark,
} from './waiting-mark.ts'

export const guestId = page.viewer.kind === 'guest' ? page.viewer.guest?.id : undefined

export const isOwn = (mark: WaitingMark): boolean => mark.slug === page.slug && mark.guestId === guestId

export const waiting = signal<ReadonlyMap<string, WaitingMark>>(new Map())
export const waitingMarks = computed(() => waiting.value.size)

/** Why marks are delayed. Null when no mark is delayed. */
export const waitReason = signal<'connection' | 'session' | null>(null)

/** Keys of marks that `counts` does not include yet, because their photo is not loaded. */
const uncounted = new Set<string>()

function updateCounts(was: GalleryPhoto, is: GalleryPhoto): void {
  counts.value = updateMarkCounts(counts.peek(), was, is)
  recordPicks(is.id, was, is)
}

export function showMark(photoId: number, body: MarkBody): void {
  const photo = getPhoto(photoId).peek()
  if (!photo) return
  updateCounts(photo, { ...photo, ...toPhotoFields(body) })
  updatePhoto(photoId, () => toPhotoFields(body))
}

export function addWaiting(mark: WaitingMark): WaitingMark {
  const key = getMarkKey(mark)
  const current = replaceMark(waiting.peek().get(key), mark)
  waiting.value = new Map(waiting.peek()).set(key, current)
  return current
}

/** Returns false if the mark does not wait any more, for example because a newer mark has replaced it. */
function removeWaiting(mark: WaitingMark): boolean {
  const key = getMarkKey(mark)
  if (waiting.peek().get(key)?.id !== mark.id) return false
  waiting.value = new Map([...waiting.peek()].filter(([other]) => other !== key))
  return true
}

export function showRemoteMark(mark: WaitingMark): void {
  addWaiting(mark)
  if (getPhoto(mark.photoId).peek()) showMark(mark.photoId, mark.body)
  else uncounted.add(getMarkKey(mark))
}

/** Marks that were waiting or accepted when the page was left. `at`: the epoch time of acceptance; null if unknown. */
type RecentMark = { mark: WaitingMark; at: number | null }

const recentStorageKey = `marks ${page.slug}`

/**
 * Stores the waiting and the accepted marks for the next page of this gallery in the same tab, because the service may
 * have rendered it before it accepted them.
 */
export function storeRecentMarks(): void {
  const recent: RecentMark[] = [
    ...[...accepted.values()].map(({ mark, at }) => ({ mark, at: performance.timeOrigin + at })),
    ...[...waiting.peek().values()].map((mark) => ({ mark, at: null })),
  ]
  writeStored('sessionStorage', recentStorageKey, JSON.stringify(recent))
}

/** Shows the marks of `storeRecentMarks` that do not wait any more and that the page may lack. */
export function showRecentMarks(): void {
  for (const { mark, at } of takeRecentMarks()) {
    const isWaiting = waiting.peek().has(getMarkKey(mark))
    if (!isOwn(mark) || isWaiting || (at !== null && at < performance.timeOrigin)) continue
    accepted.set(getMarkKey(mark), { mark, at: performance.now() })
    if (getPhoto(mark.photoId).peek()) showMark(mark.photoId, mark.body)
    else areCountsStale = true
  }
}

function takeRecentMarks(): RecentMark[] {
  const stored = readStoredJson<RecentMark[]>('sessionStorage', recentStorageKey)
  writeStored('sessionStorage', recentStorageKey, null)
  return stored ?? []
}

/** Accepted marks. `at`: the time of acceptance (`performance.now()`). Lists requested earlier may lack the mark. */
export const accepted = new Map<string, { mark: WaitingMark; at: number }>()

/** Loaded photos may lack waiting and recently accepted marks, so the overlay adds these marks. */
setOverlay((photo, askedAt) => {
  let shown = photo
  for (const { mark, at } of accepted.values()) {
    if (mark.photoId === photo.id && at > askedAt) shown = { ...shown, ...toPhotoFields(mark.body) }
  }
  for (const mark of waiting.peek().values()) {
    if (mark.photoId !== photo.id) continue
    const marked = { ...shown, ...toPhotoFields(mark.body) }
    if (uncounted.delete(getMarkKey(mark))) updateCounts(shown, marked)
    shown = marked
  }
  return shown
})

/** Marks that this page has shown, and that are not sent because the picks are locked. */
export const lockedMarks = signal<readonly WaitingMark[]>([])

let areCountsStale = false
let isListStale = false

export function handleOutcome(mark: WaitingMark, outcome: Outcome): void {
  if (!isOwn(mark)) return
  if (outcome.is === 'taken') {
    waitReason.value = null
    accepted.set(getMarkKey(mark), { mark, at: performance.now() })
    if (removeWaiting(mark) && uncounted.delete(getMarkKey(mark))) areCountsStale = true
  }
  if (!('code' in outcome) || !removeWaiting(mark)) return
  uncounted.delete(getMarkKey(mark))
  showMark(mark.photoId, mark.before)
  // With a package, a sheet lists what was set aside.
  if (outcome.is === 'refused' || !page.round) {
    showNotice(t('markNotKept', { why: rejectionReason(outcome) }), { isError: true })
  }
  if (outcome.code === 'NOT_FOUND') isListStale = true
  if (outcome.is === 'locked') lockedMarks.value = [...lockedMarks.peek(), mark]
}

function rejectionReason({ status, code }: { status: number; code: string }): string {
  if (code === 'NOT_FOUND') return t('photoMissing')
  if (code === 'VALIDATION_ERROR') return t('markWithoutName')
  return roundHooks.peek()?.explain(code) ?? errorMessage(new ApiError(status, { code }))
}

export async function reloadStale(): Promise<void> {
  try {
    if (areCountsStale) {
      const own = await call<typeof MyFeedback>('/my-feedback?limit=1')
      // While marks are waiting, the new counts may or may not include these marks, so the counts are not used.
      const isNothingWaiting = waiting.peek().size === 0
      if (isNothingWaiting) counts.value = own.counts
      if (isNothingWaiting && lastSelection.peek()) await reloadSelection()
      areCountsStale = false
    }
    if (isListStale) await loadList(asked.peek())
    isListStale = false
  } catch {
    // The next call tries again. Until then the page stays as it is.
  }
}
