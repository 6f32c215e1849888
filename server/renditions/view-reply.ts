import type { FastifyReply, FastifyRequest } from 'fastify'
import { findPictureFile } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { AppError } from '../platform/app-error.ts'
import { pictureSecurityPolicy } from '../platform/http/security-headers.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { getContentType } from '../platform/media/content-types.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { assertHasPicture } from './rendition-rules.ts'

/** Sends the stored file, or the still of a video. Throws PHOTO_PROCESSING, PREVIEW_UNAVAILABLE, FileMissing. */
export async function sendView(
  { storage }: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoRow,
): Promise<unknown> {
  assertHasPicture(photo)
  const picture = findPictureFile(photo)
  if (!picture) throw new AppError('PREVIEW_UNAVAILABLE')
  const { key, sizeBytes } = picture
  const name = key.slice(key.lastIndexOf('/') + 1)
  reply.header('content-security-policy', pictureSecurityPolicy)
  return sendFile(request, reply, {
    sizeBytes,
    // The name of a still identifies its content.
    etag: photo.media_type === 'image' ? photo.content_hash : name,
    contentType: getContentType(name),
    open: (range = { start: 0, end: sizeBytes - 1 }) => storage.openReader(key, range, sizeBytes),
  })
}
