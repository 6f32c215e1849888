import { link, lstat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { listArrivedIds, recordArrival } from '../photos/arriving-photos.ts'
import { createNameSortKey } from '../photos/photo-names.ts'
import { flag } from '../platform/database/tables.ts'
import { asAppError } from '../platform/errors/as-app-error.ts'
import { digestFile } from '../platform/storage/content-digest.ts'
import { CopySourceUnreadable, copyStaged } from '../platform/storage/copy-staged.ts'
import { StorageUnavailable } from '../platform/storage/storage.ts'
import { type FilePlace, UnsafeFile, withParentFolder } from '../platform/storage/untrusted-files.ts'
import { type StagedFile, writeStaged } from '../platform/storage/write-staged.ts'
import { t } from '../platform/text/command-messages.ts'
import { storeFile } from '../receiving/store-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import { findOriginal } from './find-original.ts'
import type { Move } from './move-context.ts'
import type { SourceEvent } from './read-event.ts'
import type { SourcePhoto } from './read-photos.ts'
import type { SourceFile } from './source/source-files.ts'

/** As many as the image workers of two processors take. */
const concurrency = 3

type Options = {
  /** Makes hard links where the file systems allow it, instead of copies. */
  links: boolean
  onPhoto: () => void
}

/**
 * Stores the originals of an event with new thumbnails. Skips those that an earlier run has stored. Reports those that are
 * missing, too large or damaged. Throws StorageFull and other errors that would affect every photo.
 */
export async function storePhotos(
  move: Move,
  event: SourceEvent,
  photos: readonly SourcePhoto[],
  eventId: number,
  { links, onPhoto }: Options,
): Promise<void> {
  const { ctx, source, add } = move
  const arrived = await listArrivedIds(ctx.db, eventId)
  const zip = event.archivePath === null ? null : await source.files.openZip(event.archivePath)
  if (event.archivePath !== null && zip === null)
    add('events', event.id, describeMissingArchive(move, event.archivePath))
  const limit = pLimit(concurrency)
  let failure: { error: unknown } | null = null
  const storeNext = async (photo: SourcePhoto) => {
    if (failure) return
    try {
      if (!arrived.has(photo.id)) await storeOne(move, photo, eventId, await findOriginal(move, photo, zip), links)
      onPhoto()
    } catch (error) {
      failure ??= { error }
    }
  }
  await limit.map([...photos], storeNext)
  zip?.close()
  if (failure) throw (failure as { error: unknown }).error
}

function describeMissingArchive({ source: { files } }: Pick<Move, 'source'>, path: string): string {
  const denied = files.describeDenied?.(path)
  return denied ? t('archiveDenied', { problem: denied }) : t('archiveMissing', { path })
}

async function storeOne(
  { ctx, add }: Move,
  photo: SourcePhoto,
  eventId: number,
  file: SourceFile | string,
  links: boolean,
): Promise<void> {
  if (typeof file === 'string') return add('photos', photo.id, file)
  await ctx.storage.ensureSpaceFor(file.sizeBytes)
  let staged: StagedFile | null = null
  try {
    staged = (links && file.place !== null && (await stageLink(ctx, file.place))) || (await stageCopy(ctx, file))
    const options = { file: { ...staged, clientName: photo.name }, family: photo.family, priority: 'normal' } as const
    await storeFile(ctx, eventId, options, async (stored, location) => {
      const row = {
        ...stored,
        captured_at: stored.captured_at ?? photo.capturedAt,
        event_id: eventId,
        source_filename: stored.original_filename,
        name_sort: createNameSortKey(stored.original_filename),
        type: photo.type,
        category_id: null,
        auto_categorized: flag(false),
        visibility: photo.visibility,
        uploaded_at: photo.uploadedAt,
        uploaded_by: photo.uploadedBy,
        updated_at: ctx.clock.now(),
      }
      await recordArrival(ctx.db, photo.id, row, location)
    })
  } catch (error) {
    const report = (problem: string) => add('photos', photo.id, t('photoProblem', { name: photo.name, problem }))
    if (error instanceof SourceDamaged) return report(error.message)
    const appError = asAppError(error)
    if (appError.status >= 500) throw error
    report(appError.message)
  } finally {
    if (staged) await ctx.storage.discard(staged.path)
  }
}

/** The file cannot be read, or is not what its archive says. */
class SourceDamaged extends Error {}

async function stageCopy({ storage }: AppContext, file: SourceFile): Promise<StagedFile> {
  if (file.place !== null) {
    return copyStaged(storage, file.place).catch((error) => {
      throw error instanceof CopySourceUnreadable ? unreadable(error) : error
    })
  }
  let stream: Readable | null = null
  let staged: StagedFile
  try {
    stream = await file.open()
    staged = await writeStaged(storage, stream)
  } catch (error) {
    if (meetsEveryPhoto(error) || (stream !== null && stream.errored !== error)) throw error
    throw unreadable(error as Error)
  }
  if (file.crc32 === null || file.crc32 === staged.crc32) return staged
  await storage.discard(staged.path)
  throw new SourceDamaged(t('damagedInArchive'))
}

const unreadable = ({ message }: Error) => new SourceDamaged(t('fileUnreadableBecause', { problem: message }))

/** A store that cannot be reached, or a full disk here. */
const meetsEveryPhoto = (error: unknown): boolean =>
  error instanceof StorageUnavailable || asAppError(error).code === 'STORAGE_FULL'

/** Returns null if the file system cannot make the link. */
async function stageLink({ storage }: AppContext, place: FilePlace): Promise<StagedFile | null> {
  const staged = await storage.stage()
  try {
    await withParentFolder(place, (folder, name) => link(folder.at(name), staged))
  } catch {
    return null
  }
  try {
    if (!(await lstat(staged)).isFile()) throw new UnsafeFile(t('notRegular'))
    return { path: staged, ...(await digestFile(staged)), synced: Promise.resolve() }
  } catch {
    // The copy says why the file cannot be read.
    await storage.discard(staged)
    return null
  }
}
