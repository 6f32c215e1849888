import type { Outcome } from '../access/idempotency-rows.ts'
import type { RecordOutcome, SentFields } from '../access/idempotent-request.ts'
import type { EventRow } from '../events/event-rows.ts'
import { getListedPhoto, type ListedPhoto } from '../photos/listed-photos.ts'
import type { AppContext } from '../settings/app-context.ts'
import { receivePhoto } from './receive-photo.ts'
import { replacePhoto } from './replace-photo.ts'
import type { Upload } from './upload-form-request.ts'

type UploadTarget = { event: EventRow; userId: number }

export type UploadResult = { photo: ListedPhoto; previousFilename: string | null }

export async function receiveUpload(
  ctx: AppContext,
  { event, userId }: UploadTarget,
  { file, categoryId, replacesPhotoId }: Upload,
  record: RecordOutcome,
): Promise<UploadResult> {
  const { photo, previousFilename } =
    replacesPhotoId === null
      ? await receivePhoto(ctx, {
          event,
          file,
          categoryId,
          uploadedBy: 'api',
          markedBy: userId,
          inSameTransaction: (tx, { id }) => record(tx, { status: 201, id }),
        }).then((photo) => ({ photo, previousFilename: null }))
      : await replacePhoto(ctx, event, replacesPhotoId, file, {
          categoryId,
          inSameTransaction: (tx, previousFilename) =>
            record(tx, { status: 200, id: replacesPhotoId, note: previousFilename }),
        })
  // The marks are current; the photo columns are those that this upload has stored.
  return { photo: { ...(await getListedPhoto(ctx, event.id, photo.id, userId)), ...photo }, previousFilename }
}

/** Throws NOT_FOUND if the photo is deleted. */
export async function loadEarlierUpload(
  ctx: AppContext,
  { event, userId }: UploadTarget,
  { id, note }: Outcome,
): Promise<UploadResult> {
  return { photo: await getListedPhoto(ctx, event.id, id, userId), previousFilename: note ?? null }
}

/** Repeated uploads are compared by these fields, because the multipart bytes of the same upload can differ. */
export const getIdempotencyFields = ({ file, categoryId, replacesPhotoId }: Upload): SentFields => ({
  category_id: categoryId,
  replaces_photo_id: replacesPhotoId,
  content_hash: file.contentHash,
})
