import { signal } from '@preact/signals'
import { createRandomId } from '../../../shared/create-random-id.ts'
import { openSetAside, queueMark } from '../../marks/mark-queue.ts'
import { accepted, isOwn, showMark, showRemoteMark } from '../../marks/own-marks.ts'
import { maxAgeMs } from '../../marks/send-marks.ts'
import { getMarkKey, sortByTime, type WaitingMark } from '../../marks/waiting-mark.ts'
import { counts } from '../../state/photos.ts'
import { ownRound } from './own-round.ts'
import { chooseSendable } from './round-rules.ts'

/** The marks of this guest that were not sent, because the picks were locked. */
export const setAsideMarks = signal<readonly WaitingMark[]>([])

export async function loadSetAside(): Promise<void> {
  const marks = await openSetAside()
    .all()
    .catch(() => [])
  const own: WaitingMark[] = []
  for (const mark of marks) {
    if (Date.now() - mark.at > maxAgeMs) await openSetAside().remove(mark)
    else if (isOwn(mark)) own.push(mark)
  }
  for (const mark of own) hideIfShown(mark)
  setAsideMarks.value = sortByTime(own)
}

/** The worker has set the mark aside while the page was away, which then took it for sent. */
function hideIfShown(mark: WaitingMark): void {
  const key = getMarkKey(mark)
  if (accepted.get(key)?.mark.id !== mark.id) return
  accepted.delete(key)
  showMark(mark.photoId, mark.before)
}

/** Marks get the time of sending, and are sent in its order. */
const tickMs = 2

/** Sends the marks that fit. The others stay. */
export async function sendSetAside(): Promise<void> {
  const sendable = chooseSendable(setAsideMarks.peek(), ownRound.peek() ?? { maximum: null }, counts.peek().favorited)
  for (const mark of sendable) {
    showRemoteMark({ ...mark, id: createRandomId() })
    await queueMark(mark.photoId, mark.body, mark.before)
    await openSetAside().remove(mark)
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
  await loadSetAside()
}

export async function discardSetAside(): Promise<void> {
  for (const mark of setAsideMarks.peek()) await openSetAside().remove(mark)
  await loadSetAside()
}
