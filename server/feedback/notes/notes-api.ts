import { ListNotesQuery, NoteList, NoteRecord } from '../../../contract/gallery/notes.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { listNotes } from './list-notes.ts'
import { markNote } from './mark-note.ts'

/** Part of both APIs. */
export const notesApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/notes',
    {
      schema: {
        operationId: 'listNotes',
        tags: ['proofing'],
        summary: 'List the private notes of guests, newest first',
        params: IdParams('event_id'),
        querystring: ListNotesQuery,
        description: 'API tokens need the right `reads_notes`.',
        response: { 200: NoteList },
      },
      config: { scope: 'read', permission: 'notes.view' },
    },
    async ({ caller, params, query }) => {
      const { id } = await getOwnedEvent(ctx, caller, params.event_id)
      const { notes, total } = await listNotes(ctx.db, id, query)
      return { notes, pagination: toPagination(query, total) }
    },
  )
}

export const notesAdminApi = (ctx: AppContext) => async (app: Http) => {
  const operations = [
    { verb: 'done', operationId: 'markNoteDone', summary: 'Mark a note as done', isDone: true },
    { verb: 'open', operationId: 'reopenNote', summary: 'Mark a note as not done', isDone: false },
  ]
  for (const { verb, operationId, summary, isDone } of operations) {
    app.put(
      `/feedback/notes/:note_id/${verb}`,
      {
        schema: {
          operationId,
          tags: ['proofing'],
          summary,
          params: IdParams('note_id'),
          response: { 200: NoteRecord },
        },
        config: { permission: ['photos.edit', 'notes.view'], problems: ['EVENT_ARCHIVED'] },
      },
      async ({ caller, params }) => markNote(ctx, caller, params.note_id, isDone),
    )
  }
}
