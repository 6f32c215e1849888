import {
  ListedThreads,
  ListThreadsQuery,
  OperatorAnswerBody,
  ThreadRecord,
  ThreadStateBody,
} from '../../../contract/gallery/threads.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { canReadNotes } from '../../access/roles.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { sendText } from '../../platform/http/send-text.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { findThreadRecord, listThreads } from './list-threads.ts'
import { answerAsOperator, changeAnswer, settleAsOperator } from './operator-threads.ts'
import { createThreadsCsv } from './threads-csv.ts'

const tags = ['proofing']
const params = IdParams('event_id', 'thread_id')
const messageParams = IdParams('event_id', 'thread_id', 'message_id')

/** Part of both APIs. */
export const threadsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/threads',
    {
      schema: {
        operationId: 'listThreads',
        tags,
        summary: 'List the threads of an event: comments, notes, pins and boxes with their answers',
        description:
          'Notes, pins and boxes are listed only for API tokens with the right `reads_notes`. A table has all threads that match, with all their answers; `page` and `limit` do not apply to it.',
        params: IdParams('event_id'),
        querystring: ListThreadsQuery,
        response: ListedThreads,
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id }, query }, reply) => {
      const { id, slug } = await getOwnedEvent(ctx, caller, event_id)
      if (query.format === 'csv') {
        const table = await createThreadsCsv(ctx, id, query, canReadNotes(caller))
        return sendText(reply, 'text/csv', `${slug}-threads.csv`, table)
      }
      const { threads, total } = await listThreads(ctx.db, id, query, canReadNotes(caller))
      return { threads, pagination: toPagination(query, total) }
    },
  )

  app.get(
    '/threads/:thread_id',
    {
      schema: {
        operationId: 'getThread',
        tags,
        summary: 'Get a thread with all its answers',
        params,
        response: { 200: ThreadRecord },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id, thread_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      const thread = await findThreadRecord(ctx.db, id, thread_id, canReadNotes(caller))
      if (!thread) throw new AppError('NOT_FOUND')
      return thread
    },
  )

  app.post(
    '/threads/:thread_id/messages',
    {
      schema: {
        operationId: 'answerThread',
        tags,
        summary: 'Answer in a thread',
        params,
        body: OperatorAnswerBody,
        response: { 200: ThreadRecord },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'THREAD_LIMIT_REACHED'] },
    },
    async ({ caller, params, body }) => answerAsOperator(ctx, caller, params, body),
  )

  app.put(
    '/threads/:thread_id/state',
    {
      schema: {
        operationId: 'settleThread',
        tags,
        summary: 'Mark a thread as done, or open it again',
        params,
        body: ThreadStateBody,
        response: { 200: ThreadRecord },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params, body }) => settleAsOperator(ctx, caller, params, body.state),
  )

  for (const [verb, did, summary] of [
    ['approve', 'approved', 'Show an answer of a guest to other guests'],
    ['hide', 'hidden', 'Hide an answer of a guest from other guests'],
  ] as const) {
    app.put(
      `/threads/:thread_id/messages/:message_id/${verb}`,
      {
        schema: {
          operationId: `${verb}Answer`,
          tags,
          summary,
          params: messageParams,
          response: { 200: ThreadRecord },
        },
        config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
      },
      async ({ caller, params }) => changeAnswer(ctx, caller, params, did),
    )
  }

  app.delete(
    '/threads/:thread_id/messages/:message_id',
    {
      schema: {
        operationId: 'deleteAnswer',
        tags,
        summary: 'Permanently delete an answer',
        params: messageParams,
        response: { 200: ThreadRecord },
      },
      config: { scope: 'admin', permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params }) => changeAnswer(ctx, caller, params, 'deleted'),
  )
}
