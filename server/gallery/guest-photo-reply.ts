import type { FastifyReply, FastifyRequest } from 'fastify'
import { getDownloadName, getJpegName } from '../downloads/download-name.ts'
import { type GuestOriginal, getGuestOriginal } from '../downloads/find-photo-location.ts'
import { sendPreview, sendRendition } from '../downloads/photo-reply.ts'
import type { ViewedPhoto } from '../gallery-access/gallery-state.ts'
import { type OpenGallery, openGallery } from '../gallery-access/open-gallery-request.ts'
import { assertViewable, canDownloadOriginal, isConverted, type PhotoAccess } from '../gallery-access/viewing-rules.ts'
import { findKeptJpeg, type KeptJpeg } from '../photos/photo-files.ts'
import { fullSizeRequest, guestProfile } from '../photos/renditions/guest-profile.ts'
import { plainProfile } from '../photos/renditions/rendition-rows.ts'
import { parseWidth } from '../photos/renditions/rendition-rules.ts'
import { readThumbnail, sendThumbnail, type Thumbnail } from '../photos/renditions/thumbnail-reply.ts'
import { getVersion } from '../photos/versions/find-version.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { pictureSecurityPolicy, securityHeaders } from '../platform/http/security-headers.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { getContentType } from '../platform/media/content-types.ts'
import { imageKinds } from '../platform/media/image-kinds.ts'
import type { CachedThumbnail, GalleryContext } from './gallery-context.ts'

type Target = { slug: string; photo_id: number }
type ViewablePhoto = OpenGallery & { photo: ViewedPhoto }

export async function servePhoto(
  ctx: GalleryContext,
  request: FastifyRequest<{ Params: Target; Querystring: { w?: unknown; version?: number } }>,
  reply: FastifyReply,
): Promise<unknown> {
  const viewable = await getViewablePhoto(ctx, request, request.params, 'photo')
  const { w, version } = request.query
  const { event, viewer } = viewable
  const photo = version === undefined ? viewable.photo : await getShownVersion(ctx, viewable, version)
  const isEarlier = photo !== viewable.photo
  // An archived event has no renditions. `getViewablePhoto` admits only operators to it.
  if (!isEarlier && (w === undefined || event.is_archived === 1)) return sendFullSize(ctx, request, reply, viewable)
  const profile = viewer.kind === 'guest' ? guestProfile(event, await ctx.settings.values()) : plainProfile
  return sendPreview(ctx, ctx.renditions, request, reply, { photo, width: parseWidth(w), profile })
}

export async function serveDownload(
  ctx: GalleryContext,
  request: FastifyRequest<{ Params: Target; Querystring: { original?: 'true' | 'false' } }>,
  reply: FastifyReply,
): Promise<unknown> {
  const viewable = await getViewablePhoto(ctx, request, request.params, 'download')
  const { event, photo, viewer } = viewable
  const isOriginal = viewer.kind === 'operator' || (request.query.original === 'true' && isConverted(photo))
  if (isOriginal && viewer.kind === 'guest' && !canDownloadOriginal(event, photo)) {
    throw new AppError('DOWNLOAD_DISABLED')
  }
  const download = { isOriginal, onBegin: () => ctx.counts.countDownload(viewer) }
  return sendFullSize(ctx, request, reply, viewable, download)
}

/** Guests see earlier versions as renditions, and only while the event keeps versions. */
async function getShownVersion(ctx: GalleryContext, { event, photo, viewer }: ViewablePhoto, version: number) {
  const shown = await getVersion(ctx.db, photo, version)
  if (shown !== photo && viewer.kind === 'guest' && event.keep_versions === 0) throw new AppError('NOT_FOUND')
  return shown
}

/** A thumbnail that is missing or has the wrong size is created again. */
export async function serveThumbnail(
  ctx: GalleryContext,
  request: FastifyRequest<{ Params: Target }>,
  reply: FastifyReply,
): Promise<unknown> {
  const { photo } = await getViewablePhoto(ctx, request, request.params, 'thumbnail')
  return sendThumbnail(request, reply, photo, {
    read: async (thumbnail) => (await loadCachedThumbnail(ctx, photo.event_id, thumbnail)).body,
    remake: async () => {
      await ctx.renditions.remakeThumbnail(photo)
      return ctx.galleries.photo(photo.id)
    },
  })
}

/**
 * Guests get the same file as in ZIPs: a rendition if a picture needs a watermark or exceeds the size limit, otherwise
 * the kept JPEG or the original, without the location if the event strips it. Operators see the kept JPEG too, and
 * download the unchanged original. `isOriginal`: not the kept JPEG.
 */
async function sendFullSize(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { event, photo, viewer }: ViewablePhoto,
  download?: { isOriginal: boolean; onBegin: () => void },
): Promise<unknown> {
  const { isOriginal = false, ...counting } = download ?? {}
  const isGuest = viewer.kind === 'guest'
  const requested = isGuest ? fullSizeRequest(guestProfile(event, await ctx.settings.values()), photo) : null
  if (requested) {
    const downloadName = getJpegName(photo)
    const options = { photo, requested, ...(download && { ...counting, downloadName }) }
    return sendRendition(ctx, ctx.renditions, request, reply, options)
  }
  const jpeg = isOriginal ? null : findKeptJpeg(photo)
  const name = jpeg ? getJpegName(photo) : getDownloadName(photo)
  const isLocationStripped = isGuest && event.strip_location === 1
  reply.header('content-security-policy', pictureSecurityPolicy)
  return sendFile(request, reply, {
    ...(jpeg ? openKeptJpeg(ctx, jpeg) : await getGuestOriginal(ctx, photo, { isLocationStripped })),
    contentType: jpeg ? imageKinds.jpeg.mimeType : getContentType(photo.filename),
    // Browsers use this name when they save a file that they cannot display.
    displayName: name,
    ...(download && { ...counting, downloadName: name }),
  })
}

const openKeptJpeg = ({ storage }: GalleryContext, { key, sizeBytes, etag }: KeptJpeg): GuestOriginal => ({
  sizeBytes,
  etag,
  open: (range = { start: 0, end: sizeBytes - 1 }) => storage.openReader(key, range, sizeBytes),
})

async function getViewablePhoto(
  ctx: GalleryContext,
  request: FastifyRequest,
  target: Target,
  requested: PhotoAccess,
): Promise<ViewablePhoto> {
  const { event, viewer } = await openGallery(ctx, request, target.slug)
  const photo = await ctx.galleries.photo(target.photo_id)
  assertViewable(event, photo, viewer, requested, ctx.clock.now())
  return { event, viewer, photo }
}

/** Throws FileMissing if the file is missing or has the wrong size. */
async function loadCachedThumbnail(
  { thumbnailCache, storage }: GalleryContext,
  eventId: number,
  thumbnail: Thumbnail,
): Promise<CachedThumbnail> {
  const { filename, sha256 } = thumbnail
  const known = thumbnailCache.get(filename)
  if (known) return known
  const body = await readThumbnail(storage, eventId, thumbnail)
  const etag = `"${sha256}"`
  const headers = { ...securityHeaders, etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' }
  const cached = { body, etag, headers: [...Object.entries(headers).flat(), 'content-type', getContentType(filename)] }
  thumbnailCache.set(filename, cached)
  return cached
}
