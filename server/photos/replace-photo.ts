import { getUsableCategory } from '../events/categories.ts'
import type { EventRow } from '../events/event-rows.ts'
import { judgeNotArchived } from '../events/event-rules.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { ReceivedFile } from '../platform/http/receive-form.ts'
import { Refusal } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
import { dropRenditions } from './drop-renditions.ts'
import { recordLocation } from './location-rows.ts'
import { announcePhoto } from './photo-announcements.ts'
import { originalKey, thumbnailKey } from './photo-files.ts'
import { findPhoto, type PhotoRow } from './photo-rows.ts'
import { changeTotals } from './photo-totals.ts'
import { storePicture } from './store-picture.ts'

/** Throws NOT_FOUND for a photo of another event, UNSUPPORTED_MEDIA_TYPE for one that is no image (decisions §3, §5). */
async function getReplaceable({ db }: House, event: EventRow, photoId: number): Promise<PhotoRow> {
  const photo = await findPhoto(db, event.id, photoId)
  if (!photo) throw new Refusal('NOT_FOUND', { text: 'The photo to replace is not in this event.' })
  if (photo.media_type === 'image') return photo
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { text: 'A video can only be replaced by a video.' })
}

/**
 * Gives a photo a new file. Its id, marks, position, category and first file name stay (interface, "Preserved across a
 * replace"). Two replaces of one photo follow one another; a failed one leaves the old photo whole.
 */
export async function replacePhoto(
  house: House,
  event: EventRow,
  photoId: number,
  file: ReceivedFile,
  categoryId: number | null = null,
  inSameTransaction: (tx: Tx, previousFilename: string) => Promise<void> = async () => undefined,
): Promise<{ photo: PhotoRow; previousFilename: string }> {
  const { db, clock, changes, storage } = house
  judgeNotArchived(event)
  await getReplaceable(house, event, photoId)
  // Judged like that of a new photo, though a replace keeps the category it has.
  if (categoryId !== null) await getUsableCategory(house, categoryId, event.id)

  const origin = await house.settings.linkOrigin()
  const { photo, previous, renditions } = await storePicture(house, event.id, file, (picture, location) =>
    db.transaction().execute(async (tx) => {
      const previous = await findPhoto(tx, event.id, photoId)
      if (!previous) throw new Refusal('NOT_FOUND')
      const now = clock.now()
      const photo = await tx
        .updateTable('photos')
        .set({ ...picture, captured_at: previous.captured_at ?? picture.captured_at, updated_at: now })
        .where('id', '=', photoId)
        .returningAll()
        .executeTakeFirstOrThrow()
      await changeTotals(tx, event.id, { bytes: picture.size_bytes - previous.size_bytes })
      await tx
        .insertInto('retired_files')
        .values({ key: originalKey(event.id, previous.filename), retired_at: now })
        .execute()
      await recordLocation(tx, photo, location)
      await announcePhoto(tx, 'photo.uploaded', { event, photo, replaced: true, origin, now })
      await inSameTransaction(tx, previous.filename)
      return { photo, previous, renditions: await dropRenditions(tx, photoId) }
    }),
  )
  changes.tell('photo', photoId)
  changes.tell('live', event.id)
  if (previous.thumbnail_filename) await storage.remove(thumbnailKey(event.id, previous.thumbnail_filename))
  for (const key of renditions) await storage.remove(key)
  return { photo, previousFilename: previous.filename }
}
