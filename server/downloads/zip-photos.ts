import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { must } from '../../contract/must.ts'
import { createArchivePaths } from '../archives/archive-names.ts'
import { planArchive } from '../archives/plan-archive.ts'
import { readArchive } from '../archives/read-archive.ts'
import type { ArchiveEntry } from '../archives/zip-format.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { ChosenPhoto } from '../photos/lists/choose-photos.ts'
import { originalsPrefix } from '../photos/photo-files.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { createBytesReader } from '../platform/storage/byte-readers.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type ArchiveFile, findOriginalFile, listStoredSizes } from './archive-files.ts'

/** The size and ETag of the archive are known before any file is read. */
export type PhotoArchive = {
  photoCount: number
  /** The number of photos that are left out and listed in `MISSING_FILES.txt`. */
  missingCount: number
  sizeBytes: number
  etag: string
  /** Opens each file shortly before its bytes are read. */
  open: (range?: ByteRange) => ByteReader
}

type CollectedPhotos = { files: ArchiveFile[]; missing: ChosenPhoto[] }

type Member = ArchiveEntry & Pick<ArchiveFile, 'etag' | 'open'>

const missingFilesName = 'MISSING_FILES.txt'
const missingFilesSentence = 'These photos are not in this archive because their files are missing from the storage:'

/** Missing files are left out and listed in `MISSING_FILES.txt`. Throws NO_PHOTOS if no file is left. */
export async function zipPhotos(
  ctx: AppContext,
  event: EventRow,
  chosenPhotos: Promise<ChosenPhoto[]>,
): Promise<PhotoArchive> {
  const archive = zipFiles(ctx, event, await collectOriginals(ctx, event, chosenPhotos))
  if (archive.photoCount === 0) throw new AppError('NO_PHOTOS')
  return archive
}

export async function collectOriginals(
  ctx: AppContext,
  event: EventRow,
  chosenPhotos: ChosenPhoto[] | Promise<ChosenPhoto[]>,
): Promise<CollectedPhotos> {
  const [photos, sizes] = await Promise.all([chosenPhotos, listStoredSizes(ctx.storage, originalsPrefix(event.id))])
  const collected: CollectedPhotos = { files: [], missing: [] }
  for (const photo of photos) {
    const file = findOriginalFile(ctx, photo, sizes)
    if (file) collected.files.push(file)
    else collected.missing.push(photo)
  }
  return collected
}

/** `hasFolders`: a folder for each category. The calling function must not send an archive whose `photoCount` is 0. */
export function zipFiles(
  { log }: AppContext,
  event: EventRow,
  { files, missing }: CollectedPhotos,
  { hasFolders = false } = {},
): PhotoArchive {
  if (missing.length > 0)
    log.warn({ eventId: event.id, missing: missing.length }, 'A ZIP archive omits photos whose files are missing')
  const plan = planArchive(createMembers(event, { files, missing }, hasFolders))
  return {
    photoCount: files.length,
    missingCount: missing.length,
    sizeBytes: plan.sizeBytes,
    etag: computeEtag(plan.entries),
    open: (range = { start: 0, end: plan.sizeBytes - 1 }) =>
      readArchive(plan, range, (member, part) => member.open(part)),
  }
}

/** The list of missing files comes first, so that a photo with the same name is renamed and not the list. */
function createMembers(event: EventRow, { files, missing }: CollectedPhotos, hasFolders: boolean): Member[] {
  const lists = missing.length > 0 ? [createMissingFilesList(event, missing)] : []
  const names = createArchivePaths(
    files.map(({ name, photo }) => ({ name, folder: hasFolders ? getFolder(photo) : null })),
    lists.map(({ name }) => name),
  )
  return [
    ...lists,
    ...files.map(({ photo, sizeBytes, crc32, etag, open }, index) => ({
      name: must(names[index], 'a name in the archive'),
      sizeBytes,
      crc32,
      modifiedAt: photo.captured_at ?? photo.uploaded_at,
      etag,
      open,
    })),
  ]
}

const getFolder = ({ category_id: id, category_name: name }: ChosenPhoto) =>
  id === null || name === null ? null : { id, name }

function createMissingFilesList(event: EventRow, missing: readonly ChosenPhoto[]): Member {
  const names = missing.map((photo) => photo.original_filename)
  const text = Buffer.from(`${[missingFilesSentence, '', ...names].join('\n')}\n`)
  return {
    name: missingFilesName,
    sizeBytes: text.length,
    crc32: crc32(text),
    modifiedAt: event.created_at,
    etag: createHash('sha256').update(text).digest('hex'),
    open: async (range) => createBytesReader(text, range),
  }
}

/** Change the `1` when the layout of archives changes. */
function computeEtag(members: readonly Member[]): string {
  const hash = createHash('sha256').update('1')
  for (const { name, sizeBytes, crc32, modifiedAt, etag } of members) {
    hash.update(JSON.stringify([name, sizeBytes, crc32, modifiedAt, etag]))
  }
  return hash.digest('hex')
}
