import { keepAwake } from '../../shared/uploads/keep-awake.ts'
import { isActive } from '../../shared/uploads/upload-entries.ts'
import { showNotice } from '../components/notices.tsx'
import { refreshEvent } from './refresh-event.ts'
import { deleteHandles } from './stored-queue.ts'
import { deleteStoredReport, storeReport } from './stored-report.ts'
import { createReport, type UploadReport } from './upload-entries.ts'
import { reportMessage } from './upload-labels.ts'
import { getUploader } from './upload-queues.ts'
import { getUploads, onUploads } from './upload-state.ts'

/** Number of open upload panels by event id. An open panel shows the report, so no notice is needed. */
const openPanels = new Map<number, number>()

export function registerOpenPanel(eventId: number): () => void {
  openPanels.set(eventId, (openPanels.get(eventId) ?? 0) + 1)
  return () => openPanels.set(eventId, (openPanels.get(eventId) ?? 1) - 1)
}

/**
 * During uploads, keeps the screen on and asks for confirmation when the page is left. When the uploads of an event
 * end, refreshes the event, and shows a notice unless its upload panel is open.
 */
export function watchUploads(): void {
  let activeEventIds = new Set<number>()
  onUploads(() => {
    const now = new Set(
      getUploads()
        .entries.filter(isActive)
        .map(({ eventId }) => eventId),
    )
    for (const eventId of activeEventIds) if (!now.has(eventId)) handleEventEnd(eventId)
    activeEventIds = now
    keepAwake(now.size > 0)
  })
}

function handleEventEnd(eventId: number): void {
  refreshEvent(eventId, { isImmediate: true })
  const { events } = getUploads()
  const report = storeEventReport(eventId)
  if (report.retryable === 0) deleteHandles(eventId)
  const event = events.get(eventId)
  if ((openPanels.get(eventId) ?? 0) > 0 || !event) return
  showNotice(`${event.name}: ${reportMessage(report, event.repeated.length)}`, { isAlarm: report.failed > 0 })
}

/** Returns the report of an event whose uploads have ended. Stores it for a reload if files are missing or repeated. */
export function storeEventReport(eventId: number): UploadReport {
  const { entries, events } = getUploads()
  const report = createReport(entries.filter((entry) => entry.eventId === eventId))
  const { repeated = [], ignoredSystemFiles = 0 } = events.get(eventId) ?? {}
  const isPlain = report.groups.length + repeated.length + (report.replaced?.length ?? 0) === 0
  if (isPlain) deleteStoredReport(eventId, getUploader())
  else storeReport(eventId, getUploader(), { report, repeated, ignoredSystemFiles })
  return report
}
