import { pairSidecars } from '../../../contract/files/pair-sidecars.ts'
import { comparePaths } from '../../../contract/files/path-order.ts'
import { type EventRow, findEventBySlug } from '../../events/event-rows.ts'
import { asAppError } from '../../platform/errors/as-app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { FolderTracker } from './folder-tracker.ts'
import { importAndMove, moveImportedFile } from './import-and-move.ts'
import { deleteMoved, findImported, type ImportedFileRow } from './import-rows.ts'
import { toDisplayPath } from './import-rules.ts'
import type { ImportSource, WaitingFile } from './import-source.ts'

/** The result of one scan. Folder names are safe for display. */
export type ScanReport = ReturnType<typeof newReport>

const newReport = () => ({
  importCounts: { imported: 0, already_present: 0, refused: 0 },
  unknown: [] as string[],
  stray: [] as string[],
  archived: [] as string[],
  full: [] as string[],
  unreadable: 0,
  isStorageFull: false,
  listingMs: 0,
  hasMore: false,
})

/** A limit per event and scan, so that one event does not delay the others. */
const maxFilesPerScan = 100

export type ImportScan = (signal: AbortSignal) => Promise<ScanReport>

/**
 * `settleMs`: how long a file must be unchanged before its import, unless the source is atomic. The returned function
 * must not run concurrently.
 */
export function createImportScan(ctx: AppContext, source: ImportSource, settleMs: number): ImportScan {
  const trackers = new Map<string, FolderTracker>()

  return async (signal) => {
    const report = newReport()
    const folders = await source.listFolders()
    report.stray.push(...(await source.listStrays()).map((name) => toDisplayPath([name])))
    for (const folder of trackers.keys()) if (!folders.includes(folder)) trackers.delete(folder)
    for (const folder of folders) {
      if (signal.aborted || report.isStorageFull) break
      const tracker = trackers.get(folder) ?? new FolderTracker(source.isAtomic ? 0 : settleMs)
      trackers.set(folder, tracker)
      await scanFolder(ctx, { source, folder, tracker, report, signal })
    }
    return report
  }
}

type FileImport = FolderScan & { sidecars: ReadonlyMap<WaitingFile, WaitingFile> }

type FolderScan = {
  source: ImportSource
  folder: string
  tracker: FolderTracker
  report: ScanReport
  signal: AbortSignal
}

async function scanFolder(ctx: AppContext, scan: FolderScan): Promise<void> {
  const { source, folder, tracker, report } = scan
  const event = await findEventBySlug(ctx.db, folder)
  if (!event) {
    report.unknown.push(toDisplayPath([folder]))
    return
  }
  tracker.beginScan()
  const due: WaitingFile[] = []
  const listed: WaitingFile[] = []
  const { general_read_culling_marks: readsMarks } = await ctx.settings.values()
  const onUnreadable = () => {
    report.unreadable++
  }
  const startedAt = performance.now()
  for await (const file of source.listFiles(folder, onUnreadable)) {
    if (tracker.isDue(file)) due.push(file)
    if (readsMarks) listed.push(file)
  }
  report.listingMs += performance.now() - startedAt
  const existing = tracker.existing()
  await deleteMoved(ctx.db, event.id, existing)
  if (event.is_archived === 1) {
    if (existing.size > 0) report.archived.push(folder)
    return
  }
  // A sidecar waits for its photo, even if the photo is not complete yet.
  const sidecars = pairSidecars(listed)
  const paired = new Set(sidecars.values())
  const files = due.filter((file) => !paired.has(file)).sort((a, b) => comparePaths(a.path, b.path))
  await importDueFiles(ctx, event, files, { ...scan, sidecars })
  report.unreadable += tracker.countUnreadable()
}

/** First finishes files that an interrupted run has left, then imports new files in the order of their names. */
async function importDueFiles(ctx: AppContext, event: EventRow, due: WaitingFile[], scan: FileImport): Promise<void> {
  const { tracker, report, signal } = scan
  const previousRows = await findImported(
    ctx.db,
    due.map(({ digest }) => digest),
  )
  const newFiles: WaitingFile[] = []
  for (const file of due) {
    const previous = previousRows.get(file.digest)
    if (!previous || isNewFile(previous, file)) newFiles.push(file)
    else if (previous.is_kept === 1) tracker.ignoreUntilChanged(file)
    else {
      const finish = async () => ignoreIfKept(tracker, file, await moveImportedFile(ctx, file, previous))
      await continueOnError(ctx, scan, file, finish)
    }
  }
  for (const file of newFiles.slice(0, maxFilesPerScan)) {
    if (signal.aborted || report.isStorageFull || report.full.includes(scan.folder)) return
    const previous = previousRows.get(file.digest)
    await continueOnError(ctx, scan, file, () => importWaitingFile(ctx, event, file, previous, scan))
  }
  if (newFiles.length > maxFilesPerScan) report.hasMore = true
}

/** Returns whether the file differs from the row, or is a rejected file that was moved away and has appeared again. */
const isNewFile = (previous: ImportedFileRow, { sizeBytes, modifiedAt }: WaitingFile): boolean =>
  previous.size_bytes !== sizeBytes ||
  previous.modified_at !== modifiedAt ||
  (previous.problem !== null && previous.is_kept === 0)

async function importWaitingFile(
  ctx: AppContext,
  event: EventRow,
  file: WaitingFile,
  previous: ImportedFileRow | undefined,
  { folder, tracker, report, signal, sidecars }: FileImport,
): Promise<void> {
  const result = await importAndMove(ctx, { event, file, sidecar: sidecars.get(file), previous, signal })
  switch (result.outcome) {
    case 'changed':
      return tracker.forget(file)
    case 'unreadable':
      return tracker.postpone(file, { isUnreadable: true })
    case 'storage':
      report.isStorageFull = true
      return
    case 'event':
      // An archived or deleted event is also reported as full here. The next scan reports the right state.
      report.full.push(folder)
      return
    default:
      report.importCounts[result.outcome]++
      ignoreIfKept(tracker, file, result)
  }
}

const ignoreIfKept = (tracker: FolderTracker, file: WaitingFile, { isKept }: { isKept: boolean }): void => {
  if (isKept) tracker.ignoreUntilChanged(file)
}

/** An unexpected error of one file does not stop the scan. An unavailable database or storage does. */
async function continueOnError(
  ctx: AppContext,
  { tracker, signal }: FolderScan,
  file: WaitingFile,
  work: () => Promise<void>,
) {
  try {
    await work()
  } catch (error) {
    if (signal.aborted) return
    if (asAppError(error).code === 'UNAVAILABLE') throw error
    ctx.log.error({ err: error, file: file.path }, 'Could not import a file; retrying in five minutes')
    tracker.postpone(file, { isUnreadable: false })
  }
}
