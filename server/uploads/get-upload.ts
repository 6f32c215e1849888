import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { findUpload, type UploadRow } from './upload-rows.ts'

export type IsOwn = (upload: UploadRow) => boolean | Promise<boolean>

/** Throws NOT_FOUND for an upload of another event or another owner, and for an expired one. */
export async function getUpload(
  { db, clock }: PlatformContext,
  eventId: number,
  uploadId: string,
  isOwn: IsOwn,
): Promise<UploadRow> {
  const upload = await findUpload(db, uploadId)
  const isThere = upload && upload.event_id === eventId && upload.expires_at > clock.now()
  if (isThere && (await isOwn(upload))) return upload
  throw new AppError('NOT_FOUND', { text: 'There is no such upload, or its time is over: begin anew.' })
}
