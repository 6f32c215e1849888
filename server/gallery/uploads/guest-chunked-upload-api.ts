import type { FastifyRequest } from 'fastify'
import {
  AbortedUpload,
  ChunkBody,
  ChunkParams,
  ChunkReply,
  CompletedGuestUpload,
  CompleteUploadBody,
  InitUploadBody,
  InitUploadReply,
  UploadParams,
  UploadStatus,
} from '../../../contract/chunked-uploads.ts'
import { SlugParams } from '../../../contract/gallery/gallery.ts'
import {
  getGuestCaller,
  type OpenGallery,
  openGallery,
  openGalleryForWrite,
} from '../../gallery-access/open-gallery-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { acceptOctetStreams, parseContentLength } from '../../platform/http/request-bodies.ts'
import { abortUpload } from '../../receiving/chunked/abort-upload.ts'
import { completeUpload } from '../../receiving/chunked/complete-upload.ts'
import { initUpload } from '../../receiving/chunked/init-upload.ts'
import { receiveChunk } from '../../receiving/chunked/receive-chunk.ts'
import { loadUploadStatus, toCompletedResponse, toInitResponse } from '../../receiving/chunked/upload-records.ts'
import { getUpload, type UploadRow } from '../../receiving/chunked/upload-rows.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { assertUploadsEnabled, guestUploadOptions, loadGuestUpload } from './receive-guest-upload.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a chunk and for a status query, which do not count as writes for the rate limit. */
    isPartOfWrite?: boolean
  }
}

const base = '/:slug/chunked-upload'
const galleryParams = SlugParams.properties

export const guestChunkedUploadApi = (ctx: GalleryContext) => async (app: Http) => {
  acceptOctetStreams(app)

  const openForUpload = async (request: FastifyRequest, open: typeof openGallery) => {
    request.gallery = await open(ctx, request, (request.params as { slug: string }).slug)
    assertUploadsEnabled(request.gallery)
  }
  // Checked before the body, so that no large body is sent to a closed gallery, and again after the body.
  app.addHook('onRequest', (request) =>
    openForUpload(request, request.routeOptions.config.isPartOfWrite ? openGallery : openGalleryForWrite),
  )
  app.addHook('preHandler', (request) => openForUpload(request, openGallery))

  const ownUpload = ({ gallery }: FastifyRequest, uploadId: string): Promise<UploadRow> =>
    getUpload(ctx, gallery.event.id, uploadId, (upload) => isOwn(ctx, gallery, upload))

  app.post(
    `${base}/init`,
    {
      schema: {
        operationId: 'initGuestUpload',
        tags: ['uploads'],
        summary: 'Start a chunked upload of a large photo or video',
        params: SlugParams,
        body: InitUploadBody,
        response: { 200: InitUploadReply },
      },
      config: {
        problems: ['UPLOADS_DISABLED', 'PHOTO_CAP_REACHED'],
        problemsAs400: ['FILE_TOO_LARGE', 'FILE_TYPE_NOT_ALLOWED'],
      },
    },
    async ({ gallery, body: { replaces_photo_id, adds_version_to, ...body } }) => {
      const { guestId } = getGuestCaller(gallery)
      return toInitResponse(await initUpload(ctx, gallery.event, { guestId }, body))
    },
  )

  app.post(
    `${base}/:upload_id/chunk/:index`,
    {
      schema: {
        operationId: 'sendGuestChunk',
        tags: ['uploads'],
        summary: 'Send a chunk; sending it again replaces it',
        consumes: ['application/octet-stream'],
        params: ChunkParams(galleryParams),
        body: ChunkBody,
        response: { 200: ChunkReply },
      },
      config: { isPartOfWrite: true, problems: ['UPLOADS_DISABLED', 'INVALID_STATE', 'FILE_TOO_LARGE'] },
    },
    async (request) => {
      const { upload_id, index } = request.params
      const chunk = { index, contentLength: parseContentLength(request), body: request.raw }
      return receiveChunk(ctx, request.gallery.event, await ownUpload(request, upload_id), chunk)
    },
  )

  app.post(
    `${base}/:upload_id/complete`,
    {
      schema: {
        operationId: 'completeGuestUpload',
        tags: ['uploads'],
        summary: 'Complete an upload; repeated calls return the same result',
        params: UploadParams(galleryParams),
        body: CompleteUploadBody,
        response: { 200: CompletedGuestUpload },
      },
      config: {
        problems: [
          'UPLOADS_DISABLED',
          'INVALID_STATE',
          'MISSING_CHUNKS',
          'PHOTO_CAP_REACHED',
          'FILE_TYPE_NOT_ALLOWED',
          'UNREADABLE_IMAGE',
        ],
      },
    },
    async (request) => {
      const { gallery } = request
      const { event } = gallery
      const upload = await ownUpload(request, request.params.upload_id)
      const photoId = await completeUpload(ctx, event, upload, guestUploadOptions(gallery))
      return toCompletedResponse(await loadGuestUpload(ctx, event, photoId))
    },
  )

  app.get(
    `${base}/:upload_id/status`,
    {
      schema: {
        operationId: 'getGuestUploadStatus',
        tags: ['uploads'],
        summary: 'Get the received chunks of an upload',
        params: UploadParams(galleryParams),
        response: { 200: UploadStatus },
      },
      config: { isPartOfWrite: true, problems: ['UPLOADS_DISABLED'] },
    },
    async (request) => loadUploadStatus(ctx, await ownUpload(request, request.params.upload_id)),
  )

  app.delete(
    `${base}/:upload_id`,
    {
      schema: {
        operationId: 'abortGuestUpload',
        tags: ['uploads'],
        summary: 'Abort an upload and delete its chunks',
        params: UploadParams(galleryParams),
        response: { 200: AbortedUpload },
      },
      config: { problems: ['UPLOADS_DISABLED', 'INVALID_STATE'] },
    },
    async (request) => {
      const upload = await ownUpload(request, request.params.upload_id)
      await abortUpload(ctx, upload)
      return { uploadId: upload.id, aborted: true as const }
    },
  )
}

/** Includes uploads of guests who were merged into the guest of the request. */
async function isOwn({ mergedGuests }: GalleryContext, gallery: OpenGallery, upload: UploadRow): Promise<boolean> {
  const { guestId } = getGuestCaller(gallery)
  return upload.guest_id !== null && (await mergedGuests.resolveMerged(gallery.event.id, upload.guest_id)) === guestId
}
