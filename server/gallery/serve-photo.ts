import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originalKey, thumbnailKey } from '../photos/photo-files.ts'
import { pictureSecurityPolicy, securityHeaders } from '../platform/http/security-headers.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { contentTypeOf } from '../platform/media/content-types.ts'
import { Refusal } from '../platform/refusal.ts'
import type { GalleryHouse } from './gallery-house.ts'
import type { ViewedPhoto } from './gallery-state.ts'
import type { HotThumbnail } from './hot-thumbnails.ts'
import { openGallery } from './open-gallery.ts'
import { judgeWish, type Viewer, type Wish } from './viewing-rules.ts'

type Target = { slug: string; photo_id: number }

/** The original, shown or as a download. Policy first, then ETag, then file. */
export async function serveOriginal(
  house: GalleryHouse,
  request: FastifyRequest,
  reply: FastifyReply,
  target: Target,
  wish: 'photo' | 'download',
): Promise<unknown> {
  const { photo, viewer } = await getWished(house, request, target, wish)
  reply.header('content-security-policy', pictureSecurityPolicy)
  return sendFile(request, reply, {
    sizeBytes: photo.size_bytes,
    etag: photo.content_hash,
    contentType: contentTypeOf(photo.filename),
    ...(wish === 'download' && {
      downloadName: photo.original_filename,
      onBegin: () => house.counts.downloaded(viewer),
    }),
    open: (range) => house.storage.openStream(originalKey(photo.event_id, photo.filename), range, photo.size_bytes),
  })
}

/** The thumbnail, from memory when it was asked for lately. */
export async function serveThumbnail(
  house: GalleryHouse,
  request: FastifyRequest,
  reply: FastifyReply,
  target: Target,
): Promise<unknown> {
  const { photo } = await getWished(house, request, target, 'thumbnail')
  const { thumbnail_filename: filename, thumbnail_sha256: sha256, thumbnail_size_bytes: sizeBytes } = photo
  if (!filename || !sha256 || sizeBytes === null) throw new Refusal('PHOTO_FILE_MISSING')
  return sendFile(request, reply, {
    sizeBytes,
    etag: sha256,
    contentType: contentTypeOf(filename),
    open: async (range = { start: 0, end: sizeBytes - 1 }) => {
      const { body } = await hotThumbnail(house, photo.event_id, { filename, sha256, sizeBytes })
      if (body.length !== sizeBytes) throw new Refusal('PHOTO_FILE_MISSING')
      return Readable.from([body.subarray(range.start, range.end + 1)])
    },
  })
}

/** Judges by the one policy; the photo when the caller may have what it asks for. */
async function getWished(
  house: GalleryHouse,
  request: FastifyRequest,
  target: Target,
  wish: Wish,
): Promise<{ photo: ViewedPhoto; viewer: Viewer }> {
  const { event, viewer } = await openGallery(house, request, target.slug)
  const photo = await house.galleries.photo(target.photo_id)
  judgeWish(event, photo, viewer, wish, house.clock.now())
  if (!photo) throw new Refusal('NOT_FOUND')
  return { photo, viewer }
}

async function hotThumbnail(
  { hotThumbnails, storage }: GalleryHouse,
  eventId: number,
  { filename, sha256, sizeBytes }: { filename: string; sha256: string; sizeBytes: number },
): Promise<HotThumbnail> {
  const known = hotThumbnails.get(filename)
  if (known) return known
  const body = await storage.readWhole(thumbnailKey(eventId, filename), sizeBytes)
  const etag = `"${sha256}"`
  const headers = { ...securityHeaders, etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' }
  const thumbnail = {
    body,
    etag,
    headers: [...Object.entries(headers).flat(), 'content-type', contentTypeOf(filename)],
  }
  hotThumbnails.set(filename, thumbnail)
  return thumbnail
}
