import { open } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { must } from '../../contract/must.ts'
import { findKeptJpeg, getPictureFile, type KeptJpeg, originalKey, renditionKey } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { type PhotoToRender, renderPhoto } from '../photos/renditions/render-photo.ts'
import {
  plainProfile,
  type RenditionProfile,
  type RenditionRequest,
  type RenditionRow,
} from '../photos/renditions/rendition-rows.ts'
import {
  assertHasPicture,
  type Box,
  chooseWidth,
  fitsInto,
  getResizedFormat,
  negotiateFormat,
  sizeInProfile,
} from '../photos/renditions/rendition-rules.ts'
import type { Renditions } from '../photos/renditions/renditions.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { pictureSecurityPolicy } from '../platform/http/security-headers.ts'
import { type FileToSend, sendFile } from '../platform/http/send-file.ts'
import { getContentType } from '../platform/media/content-types.ts'
import { imageKinds } from '../platform/media/image-kinds.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getDownloadName, getJpegName, replaceExtension } from './download-name.ts'
import type { PhotoArchive } from './zip-photos.ts'

// The functions of this file do not check access: the calling functions must.

const boxQuality = 92

export const sendOriginal = (
  ctx: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoRow,
): Promise<unknown> =>
  sendStored(ctx, request, reply, {
    key: originalKey(photo.event_id, photo.filename),
    sizeBytes: photo.size_bytes,
    etag: photo.content_hash,
    downloadName: getDownloadName(photo),
  })

/** May redirect to a URL of the object storage that is valid for one minute. */
function sendStored(
  { storage }: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, sizeBytes, etag, downloadName }: KeptJpeg & { downloadName: string },
): Promise<unknown> {
  const contentType = getContentType(key)
  reply.header('content-security-policy', pictureSecurityPolicy)
  return sendFile(request, reply, {
    sizeBytes,
    etag,
    contentType,
    downloadName,
    findRedirectUrl: (contentDisposition) => storage.downloadUrl(key, { sizeBytes, contentType, contentDisposition }),
    open: (range) => storage.openStream(key, range, sizeBytes),
  })
}

/** Sends the still if there is one, otherwise the stored file. Throws PHOTO_PROCESSING, PREVIEW_UNAVAILABLE, FileMissing. */
export async function sendView(
  { storage }: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoRow,
): Promise<unknown> {
  assertHasPicture(photo)
  const { key, sizeBytes } = getPictureFile(photo)
  const name = key.slice(key.lastIndexOf('/') + 1)
  reply.header('content-security-policy', pictureSecurityPolicy)
  return sendFile(request, reply, {
    sizeBytes,
    // The name of a still identifies its content.
    etag: photo.still_filename ?? photo.content_hash,
    contentType: getContentType(name),
    open: (range = { start: 0, end: sizeBytes - 1 }) => storage.openReader(key, range, sizeBytes),
  })
}

type PreviewToSend = { photo: PhotoToRender; width: number; profile?: RenditionProfile } & Pick<
  FileToSend,
  'cacheControl'
>

export async function sendPreview(
  ctx: AppContext,
  renditions: Renditions,
  request: FastifyRequest,
  reply: FastifyReply,
  { photo, width, profile = plainProfile, ...file }: PreviewToSend,
): Promise<unknown> {
  const format = negotiateFormat(request.headers.accept, { avif: (await ctx.settings.values()).media_avif })
  const requested = { profile, bound_px: chooseWidth(width, sizeInProfile(photo, profile)), format }
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, Accept` : 'Accept')
  return sendRendition(ctx, renditions, request, reply, { photo, requested, ...file })
}

type RenditionToSend = { photo: PhotoToRender; requested: RenditionRequest } & Pick<
  FileToSend,
  'downloadName' | 'onBegin' | 'cacheControl'
>

/** Makes the rendition again if its file is missing or has another size. */
export async function sendRendition(
  { storage }: PlatformContext,
  renditions: Renditions,
  request: FastifyRequest,
  reply: FastifyReply,
  { photo, requested, ...download }: RenditionToSend,
): Promise<unknown> {
  const send = (rendition: RenditionRow) =>
    sendFile(request, reply, {
      ...download,
      sizeBytes: rendition.size_bytes,
      etag: rendition.sha256,
      contentType: getContentType(rendition.filename),
      open: (range) =>
        storage.openStream(renditionKey(photo.event_id, rendition.filename), range, rendition.size_bytes),
    })

  const stored = await renditions.get(photo, requested)
  reply.header('content-security-policy', pictureSecurityPolicy)
  try {
    return await send(stored)
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    return send(await renditions.remake(photo, requested, stored))
  }
}

/** Sends the original, or the kept JPEG, if it fits into the box. A resized picture is not stored. */
export async function sendResized(
  ctx: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { photo, box }: { photo: PhotoRow; box: Box },
): Promise<unknown> {
  // Videos cannot be resized, and their still is not sent instead.
  if (photo.media_type === 'video') throw new AppError('PREVIEW_UNAVAILABLE')
  const jpeg = findKeptJpeg(photo)
  if (fitsInto(photo, box)) {
    if (!jpeg) return sendOriginal(ctx, request, reply, photo)
    return sendStored(ctx, request, reply, { ...jpeg, downloadName: getJpegName(photo) })
  }
  const format = getResizedFormat(photo)
  const options = { format, quality: boxQuality, watermark: null, isKept: false, isOptimized: false }
  const [made] = await renderPhoto(ctx, photo, { base: box, boxes: [box], ...options })
  const { stagedPath, facts } = must(made, 'the resized picture')
  reply.header('content-security-policy', pictureSecurityPolicy)
  try {
    return await sendFile(request, reply, {
      sizeBytes: facts.sizeBytes,
      etag: facts.sha256,
      contentType: imageKinds[format].mimeType,
      downloadName: replaceExtension(photo.original_filename, imageKinds[format].extension),
      open: async (range) => (await open(stagedPath, 'r')).createReadStream(range),
    })
  } finally {
    await ctx.storage.discard(stagedPath)
  }
}

export function sendPhotoArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  archive: PhotoArchive,
  file: Pick<FileToSend, 'onBegin'> & { downloadName: string },
): Promise<unknown> {
  const { photoCount, missingCount, sizeBytes, etag } = archive
  reply.headers({ 'x-zip-photos': String(photoCount), 'x-zip-missing': String(missingCount) })
  return sendFile(request, reply, {
    sizeBytes,
    etag,
    contentType: 'application/zip',
    ...file,
    open: async (range) => archive.open(range),
  })
}
