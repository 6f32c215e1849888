import type { EventRow } from '../../events/event-rows.ts'
import { flag } from '../../platform/database/tables.ts'
import type { AppError } from '../../platform/errors/app-error.ts'
import { asAppError } from '../../platform/errors/as-app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { importFile } from './import-file.ts'
import { deleteImported, type ImportedFileRow, recordImported } from './import-rows.ts'
import { FileChanged, FileUnreadable, type WaitingFile } from './import-source.ts'

/**
 * `isKept`: the file cannot be moved and stays. `storage`: the storage is full. `event`: the event accepts no files.
 */
export type ImportOutcome =
  | { outcome: 'imported' | 'already_present' | 'refused'; isKept: boolean }
  | { outcome: 'changed' | 'unreadable' | 'storage' }
  | { outcome: 'event'; appError: AppError }

type ImportTask = {
  event: EventRow
  file: WaitingFile
  /** Is moved with the file. */
  sidecar: WaitingFile | undefined
  previous: ImportedFileRow | undefined
  signal: AbortSignal
}

/**
 * Throws errors that no `ImportOutcome` covers, because they may be temporary. After a crash, a repeated import does
 * not create a second photo.
 */
export async function importAndMove(
  ctx: AppContext,
  { event, file, sidecar, previous, signal }: ImportTask,
): Promise<ImportOutcome> {
  const row = newRow(ctx, event, file)
  try {
    const { outcome, contentHash } = await importFile(ctx, {
      event,
      file,
      sidecar,
      signal,
      previousHash: previous?.content_hash ?? null,
      inSameTransaction: (tx, hash) => recordImported(tx, { ...row, content_hash: hash }),
    })
    const moved = await moveImportedFile(ctx, file, { ...row, content_hash: contentHash })
    if (!moved.isKept) await sidecar?.moveAway('imported')
    return { outcome, ...moved }
  } catch (error) {
    if (error instanceof FileChanged) return { outcome: 'changed' }
    if (error instanceof FileUnreadable) return { outcome: 'unreadable' }
    const appError = asAppError(error)
    if (appError.code === 'STORAGE_FULL') return { outcome: 'storage' }
    if (fileErrorStatuses.has(appError.status)) return reject(ctx, file, row, appError)
    if (eventErrorCodes.has(appError.code)) return { outcome: 'event', appError }
    throw error
  }
}

const fileErrorStatuses = new Set([413, 415, 422])
const eventErrorCodes = new Set(['EVENT_ARCHIVED', 'NOT_FOUND', 'PHOTO_CAP_REACHED'])

/** Deletes the row if the file was moved. Sets `is_kept` if the file cannot be moved. */
export async function moveImportedFile(
  { db }: AppContext,
  file: WaitingFile,
  row: ImportedFileRow,
): Promise<{ isKept: boolean }> {
  const moved = await file.moveAway('imported')
  if (moved === 'moved') await deleteImported(db, file.digest)
  if (moved === 'kept') await recordImported(db, { ...row, is_kept: 1 })
  return { isKept: moved === 'kept' }
}

async function reject(
  ctx: AppContext,
  file: WaitingFile,
  row: ImportedFileRow,
  { message }: AppError,
): Promise<ImportOutcome> {
  const problem = message.endsWith('.') ? message : `${message}.`
  const moved = await file.moveAway({ rejectionReason: `${file.path} was not imported. ${problem}` })
  if (moved === 'changed') return { outcome: 'changed' }
  ctx.log.warn({ file: file.path, problem }, 'A file was not imported')
  await recordImported(ctx.db, { ...row, problem, is_kept: flag(moved === 'kept') })
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
