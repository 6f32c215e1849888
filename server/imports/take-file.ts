import type { EventRow } from '../events/event-rows.ts'
import type { AppError } from '../platform/app-error.ts'
import { flag } from '../platform/database/tables.ts'
import { appErrorOf } from '../platform/http/problem-replies.ts'
import type { AppContext } from '../settings/app-context.ts'
import { importFile } from './import-file.ts'
import { forgetImported, type ImportedFileRow, noteImported } from './import-rows.ts'
import { FileChanged, FileUnreadable, type WaitingFile } from './import-source.ts'

/**
 * `isKept`: the file is still at its path. `changed`, `unreadable`: try again later. `event`: it accepts no files now.
 */
export type Taken =
  | { outcome: 'imported' | 'already_present' | 'refused'; isKept: boolean }
  | { outcome: 'changed' | 'unreadable' | 'storage' }
  | { outcome: 'event'; appError: AppError }

type Taking = { event: EventRow; file: WaitingFile; former: ImportedFileRow | undefined; signal: AbortSignal }

/**
 * Imports or rejects one file and moves it away. After a crash, there is never more than one photo. Throws errors that
 * may be temporary.
 */
export async function takeFile(ctx: AppContext, { event, file, former, signal }: Taking): Promise<Taken> {
  const row = newRow(ctx, event, file)
  try {
    const { outcome, contentHash } = await importFile(ctx, {
      event,
      file,
      signal,
      formerHash: former?.content_hash ?? null,
      inSameTransaction: (tx, hash) => noteImported(tx, { ...row, content_hash: hash }),
    })
    return { outcome, ...(await putAway(ctx, file, { ...row, content_hash: contentHash })) }
  } catch (error) {
    if (error instanceof FileChanged) return { outcome: 'changed' }
    if (error instanceof FileUnreadable) return { outcome: 'unreadable' }
    const appError = appErrorOf(error)
    if (appError.code === 'STORAGE_FULL') return { outcome: 'storage' }
    if (ofTheFile.has(appError.status)) return refuse(ctx, file, row, appError)
    if (ofTheEvent.has(appError.code)) return { outcome: 'event', appError }
    throw error
  }
}

const ofTheFile = new Set([413, 415, 422])
const ofTheEvent = new Set(['EVENT_ARCHIVED', 'NOT_FOUND', 'PHOTO_CAP_REACHED'])

/** Moves an imported file away. The row is deleted unless the file stays. */
export async function putAway(
  { db }: AppContext,
  file: WaitingFile,
  row: ImportedFileRow,
): Promise<{ isKept: boolean }> {
  const moved = await file.moveAway('imported')
  if (moved === 'moved') await forgetImported(db, file.digest)
  if (moved === 'kept') await noteImported(db, { ...row, is_kept: 1 })
  return { isKept: moved === 'kept' }
}

async function refuse(ctx: AppContext, file: WaitingFile, row: ImportedFileRow, { message }: AppError): Promise<Taken> {
  const problem = message.endsWith('.') ? message : `${message}.`
  const moved = await file.moveAway({ rejectionReason: `${file.path} was not imported. ${problem}` })
  if (moved === 'changed') return { outcome: 'changed' }
  ctx.log.warn({ file: file.path, problem }, 'A file was not imported')
  await noteImported(ctx.db, { ...row, problem, is_kept: flag(moved === 'kept') })
  return { outcome: 'refused', isKept: moved === 'kept' }
}

const newRow = ({ clock }: AppContext, event: EventRow, file: WaitingFile): ImportedFileRow => ({
  path_digest: file.digest,
  event_id: event.id,
  path: file.path,
  size_bytes: file.sizeBytes,
  modified_at: file.modifiedAt,
  content_hash: null,
  problem: null,
  is_kept: 0,
  noted_at: clock.now(),
})
