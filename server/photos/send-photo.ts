import { open } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Backends } from '../platform/backends.ts'
import { pictureSecurityPolicy } from '../platform/http/security-headers.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { contentTypeOf } from '../platform/media/content-types.ts'
import { imageKinds } from '../platform/media/image-header.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import { originalKey, renditionKey } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'
import { renderPhoto } from './render-photo.ts'
import type { RenditionRow } from './rendition-rows.ts'
import { acceptedFormat, type Box, fitsInto, judgeHasPicture, renamed, sameFormat, stepFor } from './rendition-rules.ts'
import type { Renditions } from './renditions.ts'

// The caller of each of these has judged before; nothing here decides access.

const boxQuality = 92

/** The stored file as a download, byte for byte. */
export function sendOriginal(
  { storage }: Backends,
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoRow,
): Promise<unknown> {
  reply.header('content-security-policy', pictureSecurityPolicy)
  return sendFile(request, reply, {
    sizeBytes: photo.size_bytes,
    etag: photo.content_hash,
    contentType: contentTypeOf(photo.filename),
    downloadName: photo.original_filename,
    open: (range) => storage.openStream(originalKey(photo.event_id, photo.filename), range, photo.size_bytes),
  })
}

/** A picture to look at, of a width of the ladder, as WebP where the client names it. */
export async function sendPreview(
  { storage }: Backends,
  renditions: Renditions,
  request: FastifyRequest,
  reply: FastifyReply,
  { photo, width, variant = 'plain' }: { photo: PhotoRow; width: number; variant?: string },
): Promise<unknown> {
  const format = acceptedFormat(request.headers.accept)
  const send = (rendition: RenditionRow) =>
    sendFile(request, reply, {
      sizeBytes: rendition.size_bytes,
      etag: rendition.sha256,
      contentType: imageKinds[format].mimeType,
      open: (range) =>
        storage.openStream(renditionKey(photo.event_id, rendition.filename), range, rendition.size_bytes),
    })

  const kept = await renditions.get(photo, { variant, bound_px: stepFor(width, photo), format })
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, Accept` : 'Accept')
  reply.header('content-security-policy', pictureSecurityPolicy)
  try {
    return await send(kept)
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    return send(await renditions.remake(photo, kept))
  }
}

/** A smaller picture as a download, of the kind of the original; made for this one answer. */
export async function sendResized(
  backends: Backends,
  request: FastifyRequest,
  reply: FastifyReply,
  { photo, box }: { photo: PhotoRow; box: Box },
): Promise<unknown> {
  judgeHasPicture(photo)
  if (fitsInto(photo, box)) return sendOriginal(backends, request, reply, photo)
  const format = sameFormat(photo)
  const rendering = { box, format, quality: boxQuality, isKept: false }
  const { stagedPath, facts } = await renderPhoto(backends, photo, rendering)
  reply.header('content-security-policy', pictureSecurityPolicy)
  try {
    return await sendFile(request, reply, {
      sizeBytes: facts.sizeBytes,
      etag: facts.sha256,
      contentType: imageKinds[format].mimeType,
      downloadName: renamed(photo.original_filename, format),
      open: async (range) => (await open(stagedPath, 'r')).createReadStream(range),
    })
  } finally {
    // The answer has ended, or was broken off.
    await backends.storage.discard(stagedPath)
  }
}
