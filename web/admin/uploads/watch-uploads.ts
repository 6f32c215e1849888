import { keepAwake } from '../../shared/uploads/keep-awake.ts'
import { showNotice } from '../parts/notices.tsx'
import { forgetHandles } from './kept-queue.ts'
import { showWhatCame } from './show-what-came.ts'
import { isUnderWay, reportOf } from './upload-entries.ts'
import { onUploads, uploads } from './upload-state.ts'
import { reportMessage } from './upload-words.ts'

/** Number of open upload panels by event id. An open panel shows the report, so no notice is needed. */
const openPanels = new Map<number, number>()

export function registerOpenPanel(eventId: number): () => void {
  openPanels.set(eventId, (openPanels.get(eventId) ?? 0) + 1)
  return () => openPanels.set(eventId, (openPanels.get(eventId) ?? 1) - 1)
}

/** Keeps the screen awake during uploads, and refreshes the pages of an event when its uploads end. */
export function watchUploads(): void {
  let underWay = new Set<number>()
  onUploads(() => {
    const now = new Set(
      uploads()
        .entries.filter(isUnderWay)
        .map(({ eventId }) => eventId),
    )
    for (const eventId of underWay) if (!now.has(eventId)) noteEnd(eventId)
    underWay = now
    keepAwake(now.size > 0)
  })
}

function noteEnd(eventId: number): void {
  showWhatCame(eventId, { isNow: true })
  const { entries, events } = uploads()
  const report = reportOf(entries.filter((entry) => entry.eventId === eventId))
  if (report.retryable === 0) forgetHandles(eventId)
  const event = events.get(eventId)
  if ((openPanels.get(eventId) ?? 0) > 0 || !event) return
  showNotice(`${event.name}: ${reportMessage(report, event.repeated)}`, { isAlarm: report.failed > 0 })
}
