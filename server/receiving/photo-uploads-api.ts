import { basename } from 'node:path'
import { EarlierFilesReply, ReplacedPhoto, ReplacePhotoForm, UndoReplacementQuery } from '../../contract/photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { UploadPhotosForm, uploadedPhotos } from '../../contract/uploads.ts'
import type { AccountCaller } from '../access/callers.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getListedPhoto, getPhotoRecord, photoRecord } from '../photos/listed-photos.ts'
import { getPhoto } from '../photos/photo-rows.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms } from '../platform/http/receive-form.ts'
import { isoTime } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { assertBelowCap } from './receive-photo.ts'
import { createUploadResponse, receivePhotos } from './receive-photos.ts'
import { replacePhoto } from './replace-photo.ts'
import { listReplaced } from './replaced-file-rows.ts'
import { undoReplacement } from './undo-replacement.ts'
import { uploadProblems, withUpload, withUploadForm } from './upload-form-request.ts'

export const photoUploadsApi = (ctx: AppContext) => async (app: Http) => {
  acceptForms(app)

  app.post(
    '/photos/:event_id/upload',
    {
      schema: {
        operationId: 'uploadPhotos',
        tags: ['uploads'],
        summary: 'Upload up to 50 images',
        consumes: ['multipart/form-data'],
        params: IdParams('event_id'),
        body: UploadPhotosForm,
        response: uploadedPhotos,
      },
      config: { permission: 'photos.upload', problems: uploadProblems },
    },
    async (request, reply) => {
      const { event_id: eventId } = request.params
      const early = await getOwnedEvent(ctx, request.caller, eventId)
      assertNotArchived(early)
      await assertBelowCap(ctx, early)
      const { status, body } = await withUploadForm(ctx, request, async ({ categoryId, ...uploads }) => {
        const event = await getOwnedEvent(ctx, await request.admitAgain(), eventId)
        const { id: userId } = request.caller.user
        const incoming = { event, uploadedBy: 'admin', categoryId, markedBy: userId } as const
        const { photos, failed } = await receivePhotos(ctx, uploads, incoming)
        const records = await Promise.all(photos.map(({ id }) => getPhotoRecord(ctx, event, id, userId)))
        return createUploadResponse(records, failed)
      })
      return reply.code(status).send(body)
    },
  )

  // For large files and videos, clients use a chunked upload with `replaces_photo_id`.
  app.post(
    '/photos/:event_id/photos/:photo_id/replace',
    {
      schema: {
        operationId: 'replacePhoto',
        tags: ['photos'],
        summary: 'Replace the file of a photo',
        description: 'The photo keeps its ID, marks, position, category and source_filename.',
        consumes: ['multipart/form-data'],
        params: IdParams('event_id', 'photo_id'),
        body: ReplacePhotoForm,
        response: { 200: ReplacedPhoto },
      },
      config: {
        permission: 'photos.upload',
        problems: ['EVENT_ARCHIVED', 'FILE_TOO_LARGE', 'FILE_TYPE_NOT_ALLOWED', 'UNREADABLE_IMAGE'],
      },
    },
    async (request) => {
      const { event_id: eventId, photo_id: photoId } = request.params
      assertNotArchived(await getOwnedEvent(ctx, request.caller, eventId))
      return withUpload(ctx, request, async ({ file }) => {
        const event = await getOwnedEvent(ctx, await request.admitAgain(), eventId)
        return describeReplaced(ctx, event, request.caller, await replacePhoto(ctx, event, photoId, file))
      })
    },
  )

  app.get(
    '/photos/:event_id/photos/:photo_id/earlier-files',
    {
      schema: {
        operationId: 'listEarlierFiles',
        tags: ['photos'],
        summary: 'List the files that a photo had before its replacements, while they are kept',
        params: IdParams('event_id', 'photo_id'),
        response: { 200: EarlierFilesReply },
      },
      config: { permission: 'photos.view', skipAudit: true },
    },
    async ({ caller, params }) => {
      const event = await getOwnedEvent(ctx, caller, params.event_id)
      await getPhoto(ctx.db, event.id, params.photo_id)
      const kept = await listReplaced(ctx.db, event.id, params.photo_id)
      return {
        earlier_files: kept.map(({ key, original_filename, size_bytes, replaced_at }) => ({
          filename: basename(key),
          original_filename,
          size_bytes: Number(size_bytes),
          replaced_at: isoTime(Number(replaced_at)),
        })),
      }
    },
  )

  app.post(
    '/photos/:event_id/photos/:photo_id/undo-replacement',
    {
      schema: {
        operationId: 'undoReplacement',
        tags: ['photos'],
        summary: 'Give a photo the file that it had before its last replacement',
        description:
          'This is a replacement too: a second call returns the other file. Earlier files are kept for about 30 days.',
        params: IdParams('event_id', 'photo_id'),
        querystring: UndoReplacementQuery,
        response: { 200: ReplacedPhoto },
      },
      config: { permission: 'photos.upload', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params, query }) => {
      const event = await getOwnedEvent(ctx, caller, params.event_id)
      return describeReplaced(ctx, event, caller, await undoReplacement(ctx, event, params.photo_id, query))
    },
  )
}

async function describeReplaced(
  ctx: AppContext,
  event: EventRow,
  { user }: AccountCaller,
  { photo, previousFilename }: Awaited<ReturnType<typeof replacePhoto>>,
) {
  // The marks are current; the photo columns are those that this request has stored.
  const listed = { ...(await getListedPhoto(ctx, event.id, photo.id, user.id)), ...photo }
  return {
    replaced: true as const,
    photo: { ...photoRecord(listed, event.slug), previous_filename: previousFilename },
  }
}
