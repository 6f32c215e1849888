import type { Outcome } from '../access/idempotency-rows.ts'
import type { RecordOutcome, SentFields } from '../access/once-per-key.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getListedPhoto, type ListedPhoto } from './list-photos.ts'
import { receivePhoto } from './receive-photo.ts'
import { replacePhoto } from './replace-photo.ts'
import type { Upload } from './upload-form.ts'

/** Where an upload goes, and whose marks its answer shows. */
type Place = { event: EventRow; userId: number }

/** `previousFilename` is null for a new photo. */
export type TakenUpload = { photo: ListedPhoto; previousFilename: string | null }

/** One upload by API token: a new photo, or a new file for the one that it replaces. */
export async function takeUpload(
  ctx: AppContext,
  { event, userId }: Place,
  { file, categoryId, replacesPhotoId }: Upload,
  record: RecordOutcome,
): Promise<TakenUpload> {
  const { photo, previousFilename } =
    replacesPhotoId === null
      ? await receivePhoto(ctx, {
          event,
          file,
          categoryId,
          uploadedBy: 'api',
          inSameTransaction: (tx, { id }) => record(tx, { status: 201, id }),
        }).then((photo) => ({ photo, previousFilename: null }))
      : await replacePhoto(ctx, event, replacesPhotoId, file, {
          categoryId,
          inSameTransaction: (tx, previousFilename) =>
            record(tx, { status: 200, id: replacesPhotoId, note: previousFilename }),
        })
  // With its marks, but as this upload has left it, whatever has come after.
  return { photo: { ...(await getListedPhoto(ctx, event.id, photo.id, userId)), ...photo }, previousFilename }
}

/** What an upload with the same key has made before, as it is today. Throws NOT_FOUND when it has been deleted since. */
export async function earlierUpload(
  ctx: AppContext,
  { event, userId }: Place,
  { id, note }: Outcome,
): Promise<TakenUpload> {
  return { photo: await getListedPhoto(ctx, event.id, id, userId), previousFilename: note ?? null }
}

/** What makes an upload the same when it is sent again: its numbers and the content of its file, not its bytes on the wire. */
export const sentFields = ({ file, categoryId, replacesPhotoId }: Upload): SentFields => ({
  category_id: categoryId,
  replaces_photo_id: replacesPhotoId,
  content_hash: file.contentHash,
})
