import { type EventRow, findEventBySlug } from '../events/event-rows.ts'
import { appErrorOf } from '../platform/http/problem-replies.ts'
import type { AppContext } from '../settings/app-context.ts'
import { FolderMemory } from './folder-memory.ts'
import { findImported, forgetMoved, type ImportedFileRow } from './import-rows.ts'
import { inOrderOfNames, shownPath } from './import-rules.ts'
import type { ImportSource, WaitingFile } from './import-source.ts'
import { putAway, takeFile } from './take-file.ts'

/** The result of one scan. Folder names are safe for display. */
export type ScanReport = {
  taken: Record<'imported' | 'already_present' | 'refused', number>
  unknown: string[]
  stray: string[]
  archived: string[]
  full: string[]
  unreadable: number
  isStorageFull: boolean
  listingMs: number
  hasMore: boolean
}

/** A limit per event and scan, so that one event does not delay the others. */
const filesAtOnce = 100

export type ImportScan = (signal: AbortSignal) => Promise<ScanReport>

/** `settleMs`: how long a file must be unchanged before its import. The returned function must not run concurrently. */
export function createImportScan(ctx: AppContext, source: ImportSource, settleMs: number): ImportScan {
  const memories = new Map<string, FolderMemory>()

  return async (signal) => {
    const report = newReport()
    const folders = await source.listFolders()
    report.stray.push(...(await source.listStrays()).map((name) => shownPath([name])))
    for (const folder of memories.keys()) if (!folders.includes(folder)) memories.delete(folder)
    for (const folder of folders) {
      if (signal.aborted || report.isStorageFull) break
      const memory = memories.get(folder) ?? new FolderMemory(source.isAtomic ? 0 : settleMs)
      memories.set(folder, memory)
      await scanFolder(ctx, { source, folder, memory, report, signal })
    }
    return report
  }
}

type FolderScan = {
  source: ImportSource
  folder: string
  memory: FolderMemory
  report: ScanReport
  signal: AbortSignal
}

async function scanFolder(ctx: AppContext, look: FolderScan): Promise<void> {
  const { source, folder, memory, report } = look
  const event = await findEventBySlug(ctx.db, folder)
  if (!event) {
    report.unknown.push(shownPath([folder]))
    return
  }
  memory.beginScan()
  const due: WaitingFile[] = []
  const onUnreadable = () => {
    report.unreadable++
  }
  const begunAt = performance.now()
  for await (const file of source.listFiles(folder, onUnreadable)) if (memory.isDue(file)) due.push(file)
  report.listingMs += performance.now() - begunAt
  const standing = memory.standing()
  await forgetMoved(ctx.db, event.id, standing)
  if (event.is_archived === 1) {
    if (standing.size > 0) report.archived.push(folder)
    return
  }
  await takeDue(ctx, event, due.sort(inOrderOfNames), look)
  report.unreadable += memory.countUnreadable()
}

/** First finishes files that an interrupted run has left, then imports new files in the order of their names. */
async function takeDue(ctx: AppContext, event: EventRow, due: WaitingFile[], look: FolderScan): Promise<void> {
  const { memory, report, signal } = look
  const formerly = await findImported(
    ctx.db,
    due.map(({ digest }) => digest),
  )
  const fresh: WaitingFile[] = []
  for (const file of due) {
    const former = formerly.get(file.digest)
    if (!former || isNewTo(former, file)) fresh.push(file)
    else if (former.is_kept === 1) memory.settle(file)
    else await tolerant(ctx, look, file, async () => settleIfKept(memory, file, await putAway(ctx, file, former)))
  }
  for (const file of fresh.slice(0, filesAtOnce)) {
    if (signal.aborted || report.isStorageFull || report.full.includes(look.folder)) return
    await tolerant(ctx, look, file, () => take(ctx, event, file, formerly.get(file.digest), look))
  }
  if (fresh.length > filesAtOnce) report.hasMore = true
}

/** Returns whether the file differs from the row, or is a rejected file that was moved away and has appeared again. */
const isNewTo = (former: ImportedFileRow, { sizeBytes, modifiedAt }: WaitingFile): boolean =>
  former.size_bytes !== sizeBytes ||
  former.modified_at !== modifiedAt ||
  (former.problem !== null && former.is_kept === 0)

async function take(
  ctx: AppContext,
  event: EventRow,
  file: WaitingFile,
  former: ImportedFileRow | undefined,
  { folder, memory, report, signal }: FolderScan,
): Promise<void> {
  const taken = await takeFile(ctx, { event, file, former, signal })
  switch (taken.outcome) {
    case 'changed':
      return memory.forget(file)
    case 'unreadable':
      return memory.putOff(file, { isUnreadable: true })
    case 'storage':
      report.isStorageFull = true
      return
    case 'event':
      // An archived or deleted event is reported by the next scan.
      report.full.push(folder)
      return
    default:
      report.taken[taken.outcome]++
      settleIfKept(memory, file, taken)
  }
}

const settleIfKept = (memory: FolderMemory, file: WaitingFile, { isKept }: { isKept: boolean }): void => {
  if (isKept) memory.settle(file)
}

/** An unexpected error of one file does not stop the scan. An unavailable database or storage does. */
async function tolerant(ctx: AppContext, { memory, signal }: FolderScan, file: WaitingFile, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (signal.aborted) return
    if (appErrorOf(error).code === 'UNAVAILABLE') throw error
    ctx.log.error({ err: error, file: file.path }, 'A file could not be imported; tried again in five minutes')
    memory.putOff(file, { isUnreadable: false })
  }
}

const newReport = (): ScanReport => ({
  taken: { imported: 0, already_present: 0, refused: 0 },
  unknown: [],
  stray: [],
  archived: [],
  full: [],
  unreadable: 0,
  isStorageFull: false,
  listingMs: 0,
  hasMore: false,
})
