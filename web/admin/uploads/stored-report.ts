import { createStore, del, get, set } from 'idb-keyval'
import type { RepeatedFile, UploadReport } from './upload-entries.ts'

/** The result of the uploads of an event. The files are not available after a reload, so they cannot be retried. */
export type StoredReport = {
  report: UploadReport
  repeated: readonly RepeatedFile[]
  ignoredSystemFiles: number
  storedAt: number
}

const reports = createStore('proofroom-upload-reports', 'reports')
const maxDays = 7
/** Paths stored for all reasons of a report together. The counts stay complete. */
const maxPaths = 2_000

const reportKey = (eventId: number, userId: number): string => `${userId}/${eventId}`
/** An error has only one effect: the report is gone after a reload. */
const ignoreErrors = (operation: Promise<unknown>): void => void operation.catch(() => undefined)

/** Stores the report until `deleteStoredReport`, for at most 7 days. A later report of the event replaces it. */
export function storeReport(eventId: number, userId: number, stored: Omit<StoredReport, 'storedAt'>): void {
  ignoreErrors(set(reportKey(eventId, userId), { ...limitPaths(stored), storedAt: Date.now() }, reports))
}

export function deleteStoredReport(eventId: number, userId: number): void {
  ignoreErrors(del(reportKey(eventId, userId), reports))
}

/** Returns null if there is no report of the last 7 days or the storage fails. */
export async function loadStoredReport(eventId: number, userId: number): Promise<StoredReport | null> {
  try {
    const stored = await get<StoredReport>(reportKey(eventId, userId), reports)
    if (!stored) return null
    if (stored.storedAt >= Date.now() - maxDays * 86_400_000) return stored
    deleteStoredReport(eventId, userId)
    return null
  } catch {
    return null
  }
}

export function limitPaths<Stored extends Pick<StoredReport, 'report' | 'repeated'>>(stored: Stored): Stored {
  let left = maxPaths
  const take = <Item>(items: readonly Item[]): Item[] => {
    const taken = items.slice(0, left)
    left -= taken.length
    return taken
  }
  const groups = stored.report.groups.map((group) => ({ ...group, paths: take(group.paths) }))
  return { ...stored, report: { ...stored.report, retryable: 0, groups }, repeated: take(stored.repeated) }
}
