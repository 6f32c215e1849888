import type { EventRow } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import type { PhotoRow } from '../../photos/photo-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { fileTooLarge } from '../../platform/storage/received-file.ts'
import { type StagedFile, writeStaged } from '../../platform/storage/write-staged.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { fileFamily, maxBytesForFamily } from '../../settings/file-type-rules.ts'
import { findEarlierContents, findKnownContents } from '../find-known-contents.ts'
import { readSidecarMarks } from '../read-sidecar-marks.ts'
import { assertBelowCap, receivePhoto } from '../receive-photo.ts'
import { replacePhoto } from '../replace-photo.ts'
import { FileChanged, FileUnreadable, type WaitingFile } from './import-source.ts'

export type ImportRequest = {
  event: EventRow
  file: WaitingFile
  signal: AbortSignal
  /**
   * Content hash of the last import from this path. This content is not imported again, even if its photo was deleted.
   */
  previousHash?: string | null
  /** The photo that the file replaces. Without it, the file becomes a new photo. */
  replaces?: number | undefined
  /** Whether content that a photo had before becomes a new photo. */
  addsEarlier?: boolean | undefined
  /** The XMP sidecar of a new photo. Its marks become those of the owner of the event. */
  sidecar?: WaitingFile | undefined
  inSameTransaction?: (tx: Tx, contentHash: string) => Promise<void>
}

export type ImportResult = { outcome: 'imported' | 'already_present'; contentHash: string }

/**
 * Does not move the file. Throws FILE_TOO_LARGE, FileUnreadable, FileChanged, StorageFull and the errors of
 * `receivePhoto`.
 */
export async function importFile(ctx: AppContext, request: ImportRequest): Promise<ImportResult> {
  const { event, file, previousHash = null } = request
  const { settings, storage } = ctx
  const maxBytes = maxBytesForFamily(fileFamily(file.name), await settings.values())
  if (file.sizeBytes > maxBytes) throw fileTooLarge(maxBytes)
  if (file.sizeBytes === 0) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { text: 'The file is empty.' })
  assertNotArchived(event)
  if (request.replaces === undefined) await assertBelowCap(ctx, event)
  await storage.ensureSpaceFor(file.sizeBytes)

  const staged = await stageCopy(ctx, request)
  const { contentHash } = staged
  try {
    if (file.crc32 !== undefined && staged.crc32 !== file.crc32) throw new FileUnreadable()
    if (staged.sizeBytes !== file.sizeBytes || !(await file.isUnchanged())) throw new FileChanged()
    if (contentHash === previousHash || (await isKnown(ctx, request, contentHash))) {
      return { outcome: 'already_present', contentHash }
    }
    await receiveStaged(ctx, request, staged)
    return { outcome: 'imported', contentHash }
  } catch (error) {
    if (error instanceof DuplicateContent) return { outcome: 'already_present', contentHash }
    throw error
  } finally {
    await storage.discard(staged.path)
  }
}

/** Returns whether a photo has this content, or had it before, unless the caller has decided about earlier content. */
async function isKnown(ctx: AppContext, { event, replaces, addsEarlier }: ImportRequest, contentHash: string) {
  if (contentHash in (await findKnownContents(ctx, event.id, [contentHash]))) return true
  if (replaces !== undefined || addsEarlier) return false
  return contentHash in (await findEarlierContents(ctx, event.id, [contentHash]))
}

async function stageCopy({ storage }: AppContext, { file, signal }: ImportRequest): Promise<StagedFile> {
  const source = await file.open(signal)
  try {
    return await writeStaged(storage, source)
  } catch (error) {
    if (source.errored === error && !signal.aborted) throw new FileUnreadable({ cause: error })
    throw error
  }
}

async function receiveStaged(
  ctx: AppContext,
  { event, file, replaces, sidecar, signal, inSameTransaction }: ImportRequest,
  staged: StagedFile,
): Promise<void> {
  const family = fileFamily(file.name)
  if (replaces !== undefined) {
    const version = event.keep_versions === 1 ? { note: null } : undefined
    await replacePhoto(ctx, event, replaces, { ...staged, clientName: file.name }, { family, version })
    return
  }
  await receivePhoto(ctx, {
    event,
    file: { ...staged, clientName: file.name },
    family,
    uploadedBy: 'import',
    folder: file.folder,
    markedBy: event.created_by,
    sidecarMarks: sidecar ? await readSidecar(ctx, sidecar, signal) : null,
    async inSameTransaction(tx, photo) {
      await assertOnlyCopy(tx, photo)
      await inSameTransaction?.(tx, photo.content_hash)
    },
  })
}

/** If the sidecar cannot be read, the file is still imported. */
const readSidecar = (ctx: AppContext, { sizeBytes, open }: WaitingFile, signal: AbortSignal) =>
  readSidecarMarks(ctx, { sizeBytes, open: () => open(signal) }).catch((error) => {
    if (error instanceof FileUnreadable) return null
    throw error
  })

/** Thrown inside the transaction when the same content was added concurrently. */
class DuplicateContent extends Error {}

async function assertOnlyCopy(tx: Tx, { id, event_id, content_hash }: PhotoRow): Promise<void> {
  const other = await tx
    .selectFrom('photos')
    .select('id')
    .where('event_id', '=', event_id)
    .where('content_hash', '=', content_hash)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  if (other) throw new DuplicateContent()
}
