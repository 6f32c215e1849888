import { Type } from 'typebox'
import { Slug, SlugParams } from '../../../contract/gallery/gallery.ts'
import { DeletedNote, NoteBody, OwnNote, OwnNotes, OwnNotesQuery } from '../../../contract/gallery/notes.ts'
import { IdempotencyHeaders } from '../../../contract/idempotency.ts'
import { Id } from '../../../contract/shapes.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { oncePerGuestKey } from '../../gallery-access/once-per-guest-request.ts'
import { registerGalleryHooks } from '../../gallery-access/open-gallery-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { authorizeFeedback } from '../store-guest-feedback.ts'
import { loadOwnNotes, removeOwnNote, writeNote } from './guest-notes.ts'

export const guestNotesApi = (ctx: GalleryAccessContext) => async (app: Http) => {
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
    (request, reply) => {
      const { gallery, body } = request
      const { text, photo_id, guest_name } = body
      return oncePerGuestKey<OwnNote>(ctx, request, reply, {
        fields: { text, photo_id, guest_name },
        first: (record) => writeNote(ctx, gallery, body, record),
        assertAgain: async () => photo_id && (await authorizeFeedback(ctx, gallery, photo_id)),
      })
    },
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
