import { api, unwrap } from '../../api/api.ts'
import { colorName } from '../../app/color-name.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { errorMessage } from '../../components/error-messages.ts'
import { showNotice } from '../../components/notices.tsx'
import { showBulkProgress } from '../model/bulk-progress.ts'
import { forEachConcurrent } from '../model/concurrency.ts'
import { findCachedPhotos, type Photo, updateCachedPhotos } from '../model/photo-queries.ts'
import { applyMark, type MarkChange, resolveMarkChange } from './mark-keys.ts'

const t = translator('photos')

const minPhotosForProgress = 24
/** The API marks one photo per request. */
const concurrentRequests = 4

/**
 * Updates the cache before the API responds. Returns the actual change: if all photos are cached and already have the
 * requested color, the color is removed.
 */
export function markPhotos(eventId: number, ids: readonly number[], requested: MarkChange): MarkChange {
  const chosen = new Set(ids)
  const known = findCachedPhotos(eventId, chosen)
  const change = known.size === chosen.size ? resolveMarkChange(requested, [...known.values()]) : requested
  const before = new Map([...known].map(([id, photo]) => [id, getMarks(photo)]))
  updateCachedPhotos(eventId, chosen, (photo) => applyMark(photo, change))
  const marks = ids.map((id): [number, MarkChange] => [id, change])
  void saveMarks(eventId, marks, before)
  return change
}

const getMarks = ({ my_rating, my_color_label }: Photo): MarkChange => ({
  rating: my_rating,
  color_label: my_color_label,
})

async function saveMarks(
  eventId: number,
  marks: ReadonlyArray<[number, MarkChange]>,
  before: ReadonlyMap<number, MarkChange>,
): Promise<void> {
  clearTimeout(refreshTimer)
  await cancelPageRequests(eventId)
  const showsProgress = marks.length > minPhotosForProgress
  const save = ([photo_id, body]: [number, MarkChange]) => {
    const params = { path: { event_id: eventId, photo_id } }
    return unwrap(api.PUT('/api/admin/photos/{event_id}/photos/{photo_id}/mark', { params, body }))
  }
  const { failed, error } = await forEachConcurrent(marks, save, {
    concurrency: concurrentRequests,
    onDone: (done) => showsProgress && showBulkProgress({ label: t('marking'), done, total: marks.length }),
  })
  if (showsProgress) showBulkProgress(null)
  if (failed.length > 0) {
    for (const [id] of failed) {
      const marksBefore = before.get(id)
      if (marksBefore) updateCachedPhotos(eventId, new Set([id]), (photo) => applyMark(photo, marksBefore))
    }
    showNotice(`${t('notMarked', { count: failed.length })} ${errorMessage(error)}`, { isAlarm: true })
  } else if (marks.length > 1) {
    const isUndoable = marks.every(([id]) => before.has(id))
    showNotice(t('marked', { count: marks.length }), {
      ...(isUndoable && { undo: () => undoMarks(eventId, before) }),
    })
  }
  refreshLater(eventId)
}

const refreshDelayMs = 1_500
let refreshTimer: ReturnType<typeof setTimeout> | undefined

/** Delayed, because marks can change a filtered list: photos must not move while the user marks more of them. */
function refreshLater(eventId: number): void {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => void queries.invalidateQueries({ queryKey: ['photos', eventId] }), refreshDelayMs)
}

/** Cancels running requests for cached pages, because a response with the old marks would overwrite the new marks. */
const cancelPageRequests = (eventId: number): Promise<void> =>
  queries.cancelQueries({
    queryKey: ['photos', eventId, 'page'],
    predicate: ({ state }) => state.data !== undefined,
  })

function undoMarks(eventId: number, before: ReadonlyMap<number, MarkChange>): void {
  const known = findCachedPhotos(eventId, new Set(before.keys()))
  const now = new Map([...known].map(([id, photo]) => [id, getMarks(photo)]))
  for (const [id, marks] of before) updateCachedPhotos(eventId, new Set([id]), (photo) => applyMark(photo, marks))
  void saveMarks(eventId, [...before], now)
}

export function marksLabel({ rating, color_label: color }: MarkChange, count: number): string {
  const stars = rating !== undefined && (rating === null ? t('noStars') : t('stars', { count: rating }))
  const label = color !== undefined && (color === null ? t('noColor') : colorName(color))
  return `${[stars, label].filter(Boolean).join(', ')}: ${t('count', { count })}`
}
