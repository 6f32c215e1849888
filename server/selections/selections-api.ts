import { ListSelectionsQuery, SelectionList, SelectionState } from '../../contract/gallery/selections.ts'
import { IdParams, ParamsWithEvent } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { toPagination } from '../platform/database/pagination.ts'
import type { Http } from '../platform/http/create-http.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { markSelection } from './mark-selection.ts'
import { type GuestSelection, listSelections, listVideoIds } from './selection-rows.ts'

/** Part of both APIs. */
export const selectionsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/events/:event_id/selections',
    {
      schema: {
        operationId: 'listSelections',
        tags: ['proofing'],
        summary: 'List submitted selections, newest first',
        params: IdParams('event_id'),
        querystring: ListSelectionsQuery,
        response: { 200: SelectionList },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { selections, total } = await listSelections(ctx, id, request.query)
      const videoIds = selections.length > 0 ? await listVideoIds(ctx.db, id) : new Set<number>()
      const records = selections.map((selection) => selectionRecord(selection, videoIds))
      return { selections: records, pagination: toPagination(request.query, total) }
    },
  )
}

/** Part of both APIs: only the path of the public API names the event. */
export const selectionStatesApi = (ctx: AppContext) => async (app: Http) => {
  const operations = [
    { verb: 'done', operationId: 'markSelectionDone', summary: 'Mark a submitted selection as done', isDone: true },
    { verb: 'open', operationId: 'reopenSelection', summary: 'Mark a submitted selection as not done', isDone: false },
  ]
  for (const { verb, operationId, summary, isDone } of operations) {
    app.put(
      `/selections/:selection_id/${verb}`,
      {
        schema: {
          operationId,
          tags: ['proofing'],
          summary,
          params: ParamsWithEvent('selection_id'),
          response: { 200: SelectionState },
        },
        config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
      },
      async ({ caller, params: { selection_id: id, event_id: eventId } }) =>
        markSelection(ctx, caller, { id, eventId }, isDone),
    )
  }
}

function selectionRecord({ guest_id, name, email, ...row }: GuestSelection, videoIds: ReadonlySet<number>) {
  const photoIds = JSON.parse(row.photo_ids) as number[]
  return {
    id: row.id,
    number: row.number,
    guest: guest_id === null ? null : { id: guest_id, name, email },
    note: row.note,
    count: row.photo_count,
    video_count: photoIds.filter((photoId) => videoIds.has(photoId)).length,
    round: row.round_number,
    content_sha256: row.content_sha256,
    photo_ids: photoIds,
    created_at: isoTime(row.created_at),
    done_at: isoTimeOrNull(row.done_at),
  }
}
