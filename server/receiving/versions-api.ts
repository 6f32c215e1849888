import { Type } from 'typebox'
import { Value } from 'typebox/value'
import {
  AddVersionForm,
  DeletedVersions,
  VersionList,
  VersionNote,
  VersionNumber,
  VersionTotals,
} from '../../contract/gallery/versions.ts'
import { Id, IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getPhoto } from '../photos/photo-rows.ts'
import { deleteAllVersions, deleteVersion } from '../photos/versions/delete-versions.ts'
import { listVersions } from '../photos/versions/list-versions.ts'
import { sumVersions } from '../photos/versions/version-rows.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import { normalizeFields } from '../platform/http/body-fields.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms } from '../platform/http/receive-form.ts'
import type { AppContext } from '../settings/app-context.ts'
import { assertKeepsVersions, assertReplaceable, replacePhoto } from './replace-photo.ts'
import { withPhotoForm } from './upload-form-request.ts'

const tags = ['photos']
const ofEvent = IdParams('event_id')
const ofPhoto = IdParams('event_id', 'photo_id')
const ofVersion = Type.Object({ event_id: Id, photo_id: Id, number: VersionNumber })

/** Part of both APIs. */
export const versionsApi = (ctx: AppContext) => async (app: Http) => {
  acceptForms(app)

  app.get(
    '/photos/:photo_id/versions',
    {
      schema: {
        operationId: 'listVersions',
        tags,
        summary: 'List the versions of a photo',
        params: ofPhoto,
        response: { 200: VersionList },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async ({ caller, params: { event_id, photo_id } }) => {
      const event = await getOwnedEvent(ctx, caller, event_id)
      return { photo_id, versions: await listVersions(ctx.db, await getPhoto(ctx.db, event.id, photo_id)) }
    },
  )

  // For large files and videos, clients use a chunked upload with `adds_version_to`.
  app.post(
    '/photos/:photo_id/versions',
    {
      schema: {
        operationId: 'addVersion',
        tags,
        summary: 'Add a file as the next version of a photo',
        description:
          'The photo keeps its ID, marks, position, category and source_filename; the earlier file stays as a version. ' +
          'Rejected with INVALID_STATE if the event does not keep versions, or if the photo has this file already.',
        consumes: ['multipart/form-data'],
        params: ofPhoto,
        body: AddVersionForm,
        response: { 201: VersionList },
      },
      config: {
        scope: 'write',
        permission: 'photos.upload',
        problems: ['EVENT_ARCHIVED', 'INVALID_STATE', 'FILE_TOO_LARGE', 'FILE_TYPE_NOT_ALLOWED', 'UNREADABLE_IMAGE'],
      },
    },
    async (request, reply) => {
      const { event_id: eventId, photo_id: photoId } = request.params
      const early = await getOwnedEvent(ctx, request.caller, eventId)
      assertNotArchived(early)
      await assertReplaceable(ctx, early, photoId, 'image')
      assertKeepsVersions(early)
      const photo = await withPhotoForm(ctx, request, ['note'], async ({ file, fields }) => {
        const version = { note: parseNote(fields.get('note')) }
        const event = await getOwnedEvent(ctx, await request.admitAgain(), eventId)
        return (await replacePhoto(ctx, event, photoId, file, { version })).photo
      })
      return reply.code(201).send({ photo_id: photoId, versions: await listVersions(ctx.db, photo) })
    },
  )

  app.delete(
    '/photos/:photo_id/versions/:number',
    {
      schema: {
        operationId: 'deleteVersion',
        tags,
        summary: 'Delete the file of an earlier version; its number and the decisions about it stay',
        params: ofVersion,
        response: { 200: DeletedVersions },
      },
      config: { scope: 'admin', permission: 'photos.delete', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params: { event_id, photo_id, number } }) => {
      await deleteVersion(ctx, await getOwnedEvent(ctx, caller, event_id), photo_id, number)
      return { success: true as const, deleted: 1 }
    },
  )

  app.get(
    '/versions',
    {
      schema: {
        operationId: 'getVersionTotals',
        tags,
        summary: 'Count the earlier versions of an event, and the size of their files',
        params: ofEvent,
        response: { 200: VersionTotals },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async ({ caller, params }) => sumVersions(ctx.db, (await getOwnedEvent(ctx, caller, params.event_id)).id),
  )

  app.delete(
    '/versions',
    {
      schema: {
        operationId: 'deleteVersions',
        tags,
        summary: 'Delete the files of all earlier versions of an event',
        params: ofEvent,
        response: { 200: DeletedVersions },
      },
      config: { scope: 'admin', permission: 'photos.delete', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params }) => {
      const deleted = await deleteAllVersions(ctx, await getOwnedEvent(ctx, caller, params.event_id))
      return { success: true as const, deleted }
    },
  )
}

/** Throws VALIDATION_ERROR. */
function parseNote(text: string | undefined): string | null {
  const note = text?.trim() ?? ''
  if (note === '') return null
  if (!Value.Check(VersionNote, note)) throw invalidField('note', 'must have at most 500 characters')
  return normalizeFields(note, ['note']) as string
}
