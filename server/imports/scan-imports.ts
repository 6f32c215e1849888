import { type EventRow, findEventBySlug } from '../events/event-rows.ts'
import { asAppError } from '../platform/as-app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { FolderTracker } from './folder-tracker.ts'
import { importAndMove, moveImportedFile } from './import-and-move.ts'
import { deleteMoved, findImported, type ImportedFileRow } from './import-rows.ts'
import { compareByName, toDisplayPath } from './import-rules.ts'
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

/** `settleMs`: how long a file must be unchanged before its import. The returned function must not run concurrently. */
export function createImportScan(ctx: AppContext, source: ImportSource, settleMs: number): ImportScan {
  const memories = new Map<string, FolderTracker>()

  return async (signal) => {
    const report = newReport()
    const folders = await source.listFolders()
    report.stray.push(...(await source.listStrays()).map((name) => toDisplayPath([name])))
    for (const folder of memories.keys()) if (!folders.includes(folder)) memories.delete(folder)
    for (const folder of folders) {
      if (signal.aborted || report.isStorageFull) break
      const memory = memories.get(folder) ?? new FolderTracker(source.isAtomic ? 0 : settleMs)
      memories.set(folder, memory)
      await scanFolder(ctx, { source, folder, memory, report, signal })
    }
    return report
  }
}

type FolderScan = {
  source: ImportSource
  folder: string
  memory: FolderTracker
  report: ScanReport
  signal: AbortSignal
}

async function scanFolder(ctx: AppContext, scan: FolderScan): Promise<void> {
  const { source, folder, memory, report } = scan
  const event = await findEventBySlug(ctx.db, folder)
  if (!event) {
    report.unknown.push(toDisplayPath([folder]))
    return
  }
  memory.beginScan()
  const due: WaitingFile[] = []
  const onUnreadable = () => {
    report.unreadable++
  }
  const startedAt = performance.now()
  for await (const file of source.listFiles(folder, onUnreadable)) if (memory.isDue(file)) due.push(file)
  report.listingMs += performance.now() - startedAt
  const existing = memory.existing()
  await deleteMoved(ctx.db, event.id, existing)
  if (event.is_archived === 1) {
    if (existing.size > 0) report.archived.push(folder)
    return
  }
  await importDueFiles(ctx, event, due.sort(compareByName), scan)
  report.unreadable += memory.countUnreadable()
}

/** First finishes files that an interrupted run has left, then imports new files in the order of their names. */
async function importDueFiles(ctx: AppContext, event: EventRow, due: WaitingFile[], scan: FolderScan): Promise<void> {
  const { memory, report, signal } = scan
  const previousRows = await findImported(
    ctx.db,
    due.map(({ digest }) => digest),
  )
  const newFiles: WaitingFile[] = []
  for (const file of due) {
    const previous = previousRows.get(file.digest)
    if (!previous || isNewFile(previous, file)) newFiles.push(file)
    else if (previous.is_kept === 1) memory.ignoreUntilChanged(file)
    else {
      const finish = async () => ignoreIfKept(memory, file, await moveImportedFile(ctx, file, previous))
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
  { folder, memory, report, signal }: FolderScan,
): Promise<void> {
  const result = await importAndMove(ctx, { event, file, previous, signal })
  switch (result.outcome) {
    case 'changed':
      return memory.forget(file)
    case 'unreadable':
      return memory.postpone(file, { isUnreadable: true })
    case 'storage':
      report.isStorageFull = true
      return
    case 'event':
      // An archived or deleted event is reported by the next scan.
      report.full.push(folder)
      return
    default:
      report.importCounts[result.outcome]++
      ignoreIfKept(memory, file, result)
  }
}

const ignoreIfKept = (memory: FolderTracker, file: WaitingFile, { isKept }: { isKept: boolean }): void => {
  if (isKept) memory.ignoreUntilChanged(file)
}

/** An unexpected error of one file does not stop the scan. An unavailable database or storage does. */
async function continueOnError(
  ctx: AppContext,
  { memory, signal }: FolderScan,
  file: WaitingFile,
  work: () => Promise<void>,
) {
  try {
    await work()
  } catch (error) {
    if (signal.aborted) return
    if (asAppError(error).code === 'UNAVAILABLE') throw error
    ctx.log.error({ err: error, file: file.path }, 'A file could not be imported; tried again in five minutes')
    memory.postpone(file, { isUnreadable: false })
  }
}
