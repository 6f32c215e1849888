import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { archiveNames } from '../archives/archive-names.ts'
import { planArchive } from '../archives/plan-archive.ts'
import { readArchive } from '../archives/read-archive.ts'
import type { ArchiveEntry } from '../archives/zip-format.ts'
import type { EventRow } from '../events/event-rows.ts'
import { Refusal } from '../platform/refusal.ts'
import { bytesReader } from '../platform/storage/bytes-reader.ts'
import type { ByteRange, ByteReader, Storage } from '../platform/storage/storage.ts'
import type { House } from '../settings/house.ts'
import type { ChosenPhoto } from './choose-photos.ts'
import { originalKey, originalsPrefix } from './photo-files.ts'

/** A ZIP of photos: its bytes are known before any of them is read. */
export type PhotoArchive = {
  photoCount: number
  /** Photos left out because their original is not in the storage, or not of the size it was received with. */
  missingCount: number
  sizeBytes: number
  /** Of the very bytes, without quotes. */
  etag: string
  /** Opens files only as bytes are read; fails when one of them does. */
  open: (range?: ByteRange) => ByteReader
}

type Member = ArchiveEntry & { contentHash: string; source: { filename: string } | { text: Buffer } }

const missingFilesName = 'MISSING_FILES.txt'
const missingFilesSentence = 'The originals of these photos are missing from the storage and not in this archive:'

/**
 * Makes a ZIP of the originals of the chosen photos, with their own names, from their rows and one listing of the
 * event's originals. What is missing is left out, named in `MISSING_FILES.txt` and reported. Throws NO_PHOTOS when
 * nothing is left to send.
 */
export async function zipPhotos(
  { storage, log }: House,
  event: EventRow,
  choosing: Promise<ChosenPhoto[]>,
): Promise<PhotoArchive> {
  const [chosen, sizes] = await Promise.all([choosing, originalSizes(storage, event.id)])
  const photos: ChosenPhoto[] = []
  const missing: ChosenPhoto[] = []
  for (const photo of chosen) {
    const isThere = sizes.get(originalKey(event.id, photo.filename)) === photo.size_bytes
    if (isThere) photos.push(photo)
    else missing.push(photo)
  }
  if (missing.length > 0) log.warn({ eventId: event.id, missing: missing.length }, 'A ZIP leaves out missing originals')
  if (photos.length === 0) throw new Refusal('NO_PHOTOS')

  const plan = planArchive(membersOf(event, photos, missing))
  return {
    photoCount: photos.length,
    missingCount: missing.length,
    sizeBytes: plan.sizeBytes,
    etag: etagOf(plan.entries),
    open: (range = { start: 0, end: plan.sizeBytes - 1 }) =>
      readArchive(plan, range, async ({ source }, part) =>
        'text' in source
          ? bytesReader(source.text, part)
          : storage.openReader(originalKey(event.id, source.filename), part),
      ),
  }
}

/** Sizes of an event's originals by their keys. */
async function originalSizes(storage: Storage, eventId: number): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, sizeBytes } of storage.list(originalsPrefix(eventId))) sizes.set(key, sizeBytes)
  return sizes
}

/** The list of what is missing comes first, so that it keeps its name whatever the photos are called. */
function membersOf(event: EventRow, photos: ChosenPhoto[], missing: ChosenPhoto[]): Member[] {
  const lists = missing.length > 0 ? [missingFiles(event, missing)] : []
  const names = archiveNames([...lists.map((list) => list.name), ...photos.map(nameOf)]).slice(lists.length)
  return [
    ...lists,
    ...photos.map((photo, index) => ({
      name: names[index] ?? '',
      sizeBytes: photo.size_bytes,
      crc32: photo.crc32,
      modifiedAt: photo.captured_at ?? photo.uploaded_at,
      contentHash: photo.content_hash,
      source: { filename: photo.filename },
    })),
  ]
}

function missingFiles(event: EventRow, missing: ChosenPhoto[]): Member {
  const text = Buffer.from(`${[missingFilesSentence, '', ...missing.map(nameOf)].join('\n')}\n`)
  return {
    name: missingFilesName,
    sizeBytes: text.length,
    crc32: crc32(text),
    modifiedAt: event.created_at,
    contentHash: createHash('sha256').update(text).digest('hex'),
    source: { text },
  }
}

const nameOf = (photo: ChosenPhoto): string => photo.original_filename

/** Over all that decides the bytes; a change of how they are laid out needs another first digit. */
function etagOf(members: readonly Member[]): string {
  const hash = createHash('sha256').update('1')
  for (const { name, sizeBytes, crc32, modifiedAt, contentHash } of members) {
    hash.update(JSON.stringify([name, sizeBytes, crc32, modifiedAt, contentHash]))
  }
  return hash.digest('hex')
}
