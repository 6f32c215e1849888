import { Type } from 'typebox'
import { Slug, SlugParams } from '../../contract/gallery/gallery.ts'
import { DeletedNote, NoteBody, OwnNote, OwnNotes, OwnNotesQuery } from '../../contract/gallery/notes.ts'
import { IdempotencyHeaders } from '../../contract/idempotency.ts'
import { Id } from '../../contract/shapes.ts'
import type { GalleryContext } from '../gallery/gallery-context.ts'
import { registerGalleryHooks } from '../gallery/open-gallery-request.ts'
import type { Http } from '../platform/http/create-http.ts'
import { loadOwnNotes, removeOwnNote } from './guest-notes.ts'
import { writeNoteIdempotently } from './idempotent-guest-request.ts'

export const guestNotesApi = (ctx: GalleryContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.post(
    '/:slug/notes',
    {
      schema: {
        operationId: 'writeNote',
        tags: ['notes'],
        summary: 'Write a private note to the photographer',
        params: SlugParams,
        headers: IdempotencyHeaders,
        body: NoteBody,
        response: { 200: OwnNote },
      },
      config: { problems: ['FEEDBACK_DISABLED', 'NOTE_LIMIT_REACHED'] },
    },
    (request, reply) => writeNoteIdempotently(ctx, request, reply),
  )

  app.get(
    '/:slug/notes',
    {
      schema: {
        operationId: 'listOwnNotes',
        tags: ['notes'],
        summary: 'The own notes of the guest, newest first',
        params: SlugParams,
        querystring: OwnNotesQuery,
        response: { 200: OwnNotes },
      },
    },
    ({ gallery, query }) => loadOwnNotes(ctx, gallery, query),
  )

  app.delete(
    '/:slug/notes/:note_id',
    {
      schema: {
        operationId: 'deleteOwnNote',
        tags: ['notes'],
        summary: 'Delete an own note',
        params: Type.Object({ slug: Slug, note_id: Id }),
        response: { 200: DeletedNote },
      },
    },
    async ({ gallery, params: { note_id: id } }) => {
      await removeOwnNote(ctx, gallery, id)
      return { success: true as const, id }
    },
  )
}
