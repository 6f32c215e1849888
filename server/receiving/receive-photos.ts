import type { FailedFile } from '../../contract/uploads.ts'
import { sanitizeOriginalName } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { asAppError } from '../platform/errors/as-app-error.ts'
import type { RejectedFile } from '../platform/storage/received-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type IncomingPhoto, receivePhoto } from './receive-photo.ts'
import type { Uploads } from './upload-form-request.ts'

export type ReceivedPhotos = { photos: PhotoRow[]; failed: FailedFile[] }

/** Throws the error of the first file if no file became a photo. */
export async function receivePhotos(
  ctx: AppContext,
  { files, rejected }: Pick<Uploads, 'files' | 'rejected'>,
  incoming: Omit<IncomingPhoto, 'file'>,
): Promise<ReceivedPhotos> {
  const photos: PhotoRow[] = []
  const failures = [...rejected]
  for (const file of files) {
    try {
      photos.push(await receivePhoto(ctx, { ...incoming, file }))
    } catch (error) {
      const appError = asAppError(error)
      if (appError.status >= 500) ctx.log.error({ err: error }, 'Could not store one file of an upload')
      failures.push({ clientName: file.clientName, index: file.index, appError })
    }
  }
  const [first] = failures.sort((a, b) => a.index - b.index)
  const failed = failures.map(toFailedFile)
  if (photos.length === 0 && first) throw toUploadError(first, failed)
  return { photos, failed }
}

const toFailedFile = ({ clientName, index, appError }: RejectedFile): FailedFile => ({
  index,
  filename: sanitizeOriginalName(clientName, ''),
  code: appError.code,
  error: appError.message,
})

const toUploadError = ({ appError }: RejectedFile, failed: FailedFile[]): AppError =>
  new AppError(appError.code, { ...appError.extras, text: appError.message, body: { ...appError.extras.body, failed } })

export const createUploadResponse = <T>(photos: T[], failed: FailedFile[]) => ({
  status: failed.length === 0 ? (201 as const) : (207 as const),
  body: { success: failed.length === 0, uploaded: photos.length, photos, failed },
})
