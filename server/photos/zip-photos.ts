import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { archiveNames } from '../archives/archive-names.ts'
import { planArchive } from '../archives/plan-archive.ts'
import { readArchive } from '../archives/read-archive.ts'
import type { ArchiveEntry } from '../archives/zip-format.ts'
import type { EventRow } from '../events/event-rows.ts'
import { AppError } from '../platform/app-error.ts'
import { bytesReader } from '../platform/storage/bytes-reader.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { ChosenPhoto } from './choose-photos.ts'
import { originalFile, type PhotoFile, storedSizes } from './files-to-send.ts'
import { originalsPrefix } from './photo-files.ts'

/** A ZIP of photos: its bytes are known before any of them is read. */
export type PhotoArchive = {
  photoCount: number
  /** Photos left out because their file is not in the storage as it should be. */
  missingCount: number
  sizeBytes: number
  /** Of the very bytes, without quotes. */
  etag: string
  /** Opens files only as bytes are read; fails when one of them does. */
  open: (range?: ByteRange) => ByteReader
}

/** What goes into an archive, and what should but cannot. */
type GatheredPhotos = { files: readonly PhotoFile[]; missing: readonly ChosenPhoto[] }

type Member = ArchiveEntry & Pick<PhotoFile, 'etag' | 'open'>

const missingFilesName = 'MISSING_FILES.txt'
const missingFilesSentence = 'The files of these photos are missing from the storage, and so from this archive:'

/**
 * Makes a ZIP of the originals of the chosen photos, with their own names, from their rows and one listing of the
 * event's originals. What is missing is left out, named in `MISSING_FILES.txt` and reported. Throws NO_PHOTOS when
 * nothing is left to send.
 */
export async function zipPhotos(
  ctx: AppContext,
  event: EventRow,
  choosing: Promise<ChosenPhoto[]>,
): Promise<PhotoArchive> {
  const archive = zipFiles(ctx, event, await gatherOriginals(ctx, event, choosing))
  if (archive.photoCount === 0) throw new AppError('NO_PHOTOS')
  return archive
}

/** Byte for byte those that are in the storage, of the size they were received with. */
export async function gatherOriginals(
  ctx: AppContext,
  event: EventRow,
  choosing: ChosenPhoto[] | Promise<ChosenPhoto[]>,
): Promise<{ files: PhotoFile[]; missing: ChosenPhoto[] }> {
  const [photos, sizes] = await Promise.all([choosing, storedSizes(ctx.storage, originalsPrefix(event.id))])
  const files: PhotoFile[] = []
  const missing: ChosenPhoto[] = []
  for (const photo of photos) {
    const file = originalFile(ctx, photo, sizes)
    if (file) files.push(file)
    else missing.push(photo)
  }
  return { files, missing }
}

/** The archive of these files, in their order; of no bytes that anybody should be sent when there are none. */
export function zipFiles({ log }: AppContext, event: EventRow, { files, missing }: GatheredPhotos): PhotoArchive {
  if (missing.length > 0) log.warn({ eventId: event.id, missing: missing.length }, 'A ZIP leaves out missing photos')
  const plan = planArchive(membersOf(event, files, missing))
  return {
    photoCount: files.length,
    missingCount: missing.length,
    sizeBytes: plan.sizeBytes,
    etag: etagOf(plan.entries),
    open: (range = { start: 0, end: plan.sizeBytes - 1 }) =>
      readArchive(plan, range, (member, part) => member.open(part)),
  }
}

/** The list of what is missing comes first, so that it keeps its name whatever the photos are called. */
function membersOf(event: EventRow, files: readonly PhotoFile[], missing: readonly ChosenPhoto[]): Member[] {
  const lists = missing.length > 0 ? [missingFiles(event, missing)] : []
  const names = archiveNames([...lists, ...files].map(({ name }) => name)).slice(lists.length)
  return [
    ...lists,
    ...files.map(({ photo, sizeBytes, crc32, etag, open }, index) => ({
      name: names[index] ?? '',
      sizeBytes,
      crc32,
      modifiedAt: photo.captured_at ?? photo.uploaded_at,
      etag,
      open,
    })),
  ]
}

function missingFiles(event: EventRow, missing: readonly ChosenPhoto[]): Member {
  const names = missing.map((photo) => photo.original_filename)
  const text = Buffer.from(`${[missingFilesSentence, '', ...names].join('\n')}\n`)
  return {
    name: missingFilesName,
    sizeBytes: text.length,
    crc32: crc32(text),
    modifiedAt: event.created_at,
    etag: createHash('sha256').update(text).digest('hex'),
    open: async (range) => bytesReader(text, range),
  }
}

/** Over all that decides the bytes; a change of how they are laid out needs another first digit. */
function etagOf(members: readonly Member[]): string {
  const hash = createHash('sha256').update('1')
  for (const { name, sizeBytes, crc32, modifiedAt, etag } of members) {
    hash.update(JSON.stringify([name, sizeBytes, crc32, modifiedAt, etag]))
  }
  return hash.digest('hex')
}
