import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { queries } from '../desk/queries.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { inTurns } from './in-turns.ts'
import { type MarkChange, settled, withMark } from './mark-keys.ts'
import { knownPhotos, showAtOnce } from './photo-queries.ts'
import { showRunning } from './running-action.ts'

const t = translator('photos')

const fewPhotos = 24

/** The API marks one photo per request. */
const callsAtOnce = 4

/** Optimistic update. Returns the actual change: a color that all photos already have is removed. */
export function markPhotos(eventId: number, ids: readonly number[], wanted: MarkChange): MarkChange {
  const chosen = new Set(ids)
  const known = knownPhotos(eventId, chosen)
  const change = known.size === chosen.size ? settled(wanted, [...known.values()]) : wanted
  const before = new Map([...known].map(([id, photo]) => [id, marksOf(photo)]))
  showAtOnce(eventId, chosen, (photo) => withMark(photo, change))
  void send(
    eventId,
    ids.map((id) => [id, change]),
    before,
  )
  return change
}

type Marks = { rating: number | null; color_label: MarkChange['color_label'] & (string | null) }

const marksOf = (photo: { my_rating: number | null; my_color_label: Marks['color_label'] }): Marks => ({
  rating: photo.my_rating,
  color_label: photo.my_color_label,
})

async function send(
  eventId: number,
  marks: ReadonlyArray<[number, MarkChange]>,
  before: ReadonlyMap<number, Marks>,
): Promise<void> {
  clearTimeout(resting)
  await dropAnswers(eventId)
  const isLong = marks.length > fewPhotos
  const { failed, error } = await inTurns(
    marks,
    ([id, body]) =>
      must(
        api.PUT('/api/admin/photos/{event_id}/photos/{photo_id}/mark', {
          params: { path: { event_id: eventId, photo_id: id } },
          body,
        }),
      ),
    {
      atOnce: callsAtOnce,
      onDone: (done) => isLong && showRunning({ label: t('marking'), done, total: marks.length }),
    },
  )
  if (isLong) showRunning(null)
  if (failed.length > 0) {
    for (const [id] of failed) {
      const marksBefore = before.get(id)
      if (marksBefore) showAtOnce(eventId, new Set([id]), (photo) => withMark(photo, marksBefore))
    }
    showNotice(`${t('notMarked', { count: failed.length })} ${errorMessage(error)}`, { isAlarm: true })
  } else if (marks.length > 1) {
    const isUndoable = marks.every(([id]) => before.has(id))
    showNotice(t('marked', { count: marks.length }), {
      ...(isUndoable && { undo: () => takeBack(eventId, before) }),
    })
  }
  askAgainAtRest(eventId)
}

const restMs = 1_500
let resting: ReturnType<typeof setTimeout> | undefined

/** Delayed, because lists that are filtered by marks change: photos must not move while the user marks more of them. */
function askAgainAtRest(eventId: number): void {
  clearTimeout(resting)
  resting = setTimeout(() => void queries.invalidateQueries({ queryKey: ['photos', eventId] }), restMs)
}

/** Cancels running page requests: their responses have the old marks and would overwrite the optimistic update. */
const dropAnswers = (eventId: number): Promise<void> =>
  queries.cancelQueries({
    queryKey: ['photos', eventId, 'page'],
    predicate: ({ state }) => state.data !== undefined,
  })

function takeBack(eventId: number, before: ReadonlyMap<number, Marks>): void {
  const known = knownPhotos(eventId, new Set(before.keys()))
  const now = new Map([...known].map(([id, photo]) => [id, marksOf(photo)]))
  for (const [id, marks] of before) showAtOnce(eventId, new Set([id]), (photo) => withMark(photo, marks))
  void send(eventId, [...before], now)
}
