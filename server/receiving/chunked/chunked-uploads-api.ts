import {
  AbortedUpload,
  ChunkBody,
  ChunkParams,
  ChunkReply,
  CompletedUpload,
  CompleteUploadBody,
  InitUploadBody,
  InitUploadReply,
  UploadParams,
  UploadStatus,
} from '../../../contract/chunked-uploads.ts'
import { IdempotencyHeaders } from '../../../contract/idempotency.ts'
import type { ProblemCode } from '../../../contract/problems.ts'
import { Id, IdParams } from '../../../contract/shapes.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { oncePerKey } from '../../access/idempotent-request.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { getPhotoRecord } from '../../photos/listed-photos.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { acceptOctetStreams, parseContentLength } from '../../platform/http/request-bodies.ts'
import { abortUpload } from './abort-upload.ts'
import { type CompletionOptions, completeUpload } from './complete-upload.ts'
import { initUpload } from './init-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import type { UploadsContext } from './upload-gate.ts'
import { loadUploadStatus, toCompletedResponse, toInitResponse } from './upload-records.ts'
import { getUpload, type UploadRow } from './upload-rows.ts'

const base = '/chunked-upload'
const ofEvent = { event_id: Id }

/** Part of both APIs: the paths are relative to the path of the event. */
export const chunkedUploadsApi = (ctx: UploadsContext) => async (app: Http) => {
  acceptOctetStreams(app)

  const getOwnEvent = (caller: AccountCaller, params: { event_id: number }) =>
    getOwnedEvent(ctx, caller, params.event_id)
  async function getOwnUpload(caller: AccountCaller, params: { event_id: number; upload_id: string }) {
    const event = await getOwnEvent(caller, params)
    const isOwn = (upload: UploadRow) => upload.user_id === caller.user.id
    return { event, upload: await getUpload(ctx, event.id, params.upload_id, isOwn) }
  }

  app.post(
    `${base}/init`,
    {
      schema: {
        operationId: 'initUpload',
        tags: ['uploads'],
        summary: 'Start a chunked upload of a large photo or video',
        headers: IdempotencyHeaders,
        params: IdParams('event_id'),
        body: InitUploadBody,
        response: { 200: InitUploadReply },
      },
      config: {
        scope: 'write',
        permission: 'photos.upload',
        problems: ['EVENT_ARCHIVED', 'PHOTO_CAP_REACHED', 'INVALID_STATE'],
        problemsAs400: ['FILE_TOO_LARGE', 'FILE_TYPE_NOT_ALLOWED'],
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const event = await getOwnEvent(caller, params)
      const { filename, fileSize, totalChunks, replaces_photo_id, adds_version_to, batch } = body
      const fields = {
        filename,
        fileSize,
        totalChunks,
        replaces_photo_id,
        batch,
        ...(adds_version_to && { adds_version_to }),
      }
      const upload = await oncePerKey(ctx, request, reply, fields, {
        first: (record) =>
          initUpload(ctx, event, { userId: caller.user.id }, body, (tx, id) =>
            record(tx, { status: 200, id: event.id, note: id }),
          ),
        again: ({ note }) => getUpload(ctx, event.id, note ?? '', ({ user_id }) => user_id === caller.user.id),
      })
      return toInitResponse(upload)
    },
  )

  app.post(
    `${base}/:upload_id/chunk/:index`,
    {
      schema: {
        operationId: 'sendChunk',
        tags: ['uploads'],
        summary: 'Send a chunk; sending it again replaces it',
        consumes: ['application/octet-stream'],
        params: ChunkParams(ofEvent),
        body: ChunkBody,
        response: { 200: ChunkReply },
      },
      config: {
        scope: 'write',
        permission: 'photos.upload',
        problems: ['EVENT_ARCHIVED', 'INVALID_STATE', 'FILE_TOO_LARGE'],
        // The completion of an upload is audited, not each of its chunks.
        skipAudit: true,
      },
    },
    async (request) => {
      const { event, upload } = await getOwnUpload(request.caller, request.params)
      const { index } = request.params
      const chunk = { index, contentLength: parseContentLength(request), body: request.raw }
      return receiveChunk(ctx, event, upload, chunk)
    },
  )

  app.post(
    `${base}/:upload_id/complete`,
    {
      schema: {
        operationId: 'completeUpload',
        tags: ['uploads'],
        summary: 'Complete an upload; repeated calls return the same result',
        params: UploadParams(ofEvent),
        body: CompleteUploadBody,
        response: { 200: CompletedUpload },
      },
      config: { scope: 'write', permission: 'photos.upload', problems: completeProblems },
    },
    async (request) => {
      const { event, upload } = await getOwnUpload(request.caller, request.params)
      const photoId = await completeUpload(
        ctx,
        event,
        upload,
        toCompletionOptions(request.caller, upload, request.body),
      )
      return toCompletedResponse(await getPhotoRecord(ctx, event, photoId, request.caller.user.id))
    },
  )

  app.get(
    `${base}/:upload_id/status`,
    {
      schema: {
        operationId: 'getUploadStatus',
        tags: ['uploads'],
        summary: 'Get the received chunks of an upload',
        params: UploadParams(ofEvent),
        response: { 200: UploadStatus },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async (request) => loadUploadStatus(ctx, (await getOwnUpload(request.caller, request.params)).upload),
  )

  app.delete(
    `${base}/:upload_id`,
    {
      schema: {
        operationId: 'abortUpload',
        tags: ['uploads'],
        summary: 'Abort an upload and delete its chunks',
        params: UploadParams(ofEvent),
        response: { 200: AbortedUpload },
      },
      config: { scope: 'admin', permission: 'photos.delete', problems: ['INVALID_STATE'] },
    },
    async (request) => {
      const { upload } = await getOwnUpload(request.caller, request.params)
      await abortUpload(ctx, upload)
      return { uploadId: upload.id, aborted: true as const }
    },
  )
}

const completeProblems: ProblemCode[] = [
  'INVALID_STATE',
  'MISSING_CHUNKS',
  'INVALID_CATEGORY',
  'EVENT_ARCHIVED',
  'PHOTO_CAP_REACHED',
  'FILE_TYPE_NOT_ALLOWED',
  'UNREADABLE_IMAGE',
]

/** `individual` and `collage` are photo types. A photo with a type has no category. */
function toCompletionOptions(
  { tokenId }: AccountCaller,
  upload: UploadRow,
  body: CompleteUploadBody,
): CompletionOptions {
  const { category_id: category = null, replaces_photo_id: replaces = upload.replaces_photo_id } = body ?? {}
  if (upload.adds_version === 1 && replaces !== upload.replaces_photo_id) {
    throw invalidField('replaces_photo_id', 'must not differ from adds_version_to of the upload')
  }
  const { rating = null, label = null, label_color: labelColor = null, synced = null } = body?.sidecar ?? {}
  return {
    uploadedBy: tokenId === undefined ? 'admin' : 'api',
    categoryId: typeof category === 'number' ? category : null,
    type: typeof category === 'string' ? category : null,
    replacesPhotoId: replaces,
    markedBy: upload.user_id,
    sidecarMarks: { rating, label, labelColor, synced },
  }
}
