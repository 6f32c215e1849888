import { queryOptions } from '@tanstack/react-query'
import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'

export type Comment = Schemas['ListFeedbackReply']['feedback'][number]

export type CommentsSearch = { status?: FeedbackStatus; photo?: number; guest?: string; page?: number }

const commentsPerPage = 50

export function parseCommentsSearch(search: Record<string, unknown>): CommentsSearch {
  const { status, guest } = search
  const isStatus = status === 'pending' || status === 'approved' || status === 'hidden'
  const toPositiveInt = (value: unknown) => (Number(value) >= 1 ? Math.trunc(Number(value)) : undefined)
  const photo = toPositiveInt(search.photo)
  const page = toPositiveInt(search.page)
  return {
    ...(isStatus && { status }),
    ...(photo && { photo }),
    ...(typeof guest === 'string' && guest !== '' && { guest }),
    ...(page && { page }),
  }
}

export const commentsQuery = (eventId: number, { status, photo, guest, page = 1 }: CommentsSearch) =>
  queryOptions({
    queryKey: ['proofing', eventId, 'comments', { status, photo, guest, page }] as const,
    queryFn: ({ signal }) => {
      const query = {
        feedback_type: 'comment' as const,
        limit: commentsPerPage,
        page,
        ...(status && { status }),
        ...(photo && { photo_id: photo }),
        ...(guest && { guest }),
      }
      return unwrap(
        api.GET('/api/admin/feedback/events/{event_id}', { params: { path: { event_id: eventId }, query }, signal }),
      )
    },
  })

export const commentCountQuery = (eventId: number, search: Omit<CommentsSearch, 'page'>) =>
  queryOptions({
    queryKey: ['proofing', eventId, 'commentCount', search] as const,
    queryFn: async ({ signal }) => {
      const { status, photo, guest } = search
      const query = {
        feedback_type: 'comment' as const,
        limit: 1,
        ...(status && { status }),
        ...(photo && { photo_id: photo }),
        ...(guest && { guest }),
      }
      const params = { path: { event_id: eventId }, query }
      return (await unwrap(api.GET('/api/admin/feedback/events/{event_id}', { params, signal }))).pagination.total
    },
  })

export async function fetchPendingIds(eventId: number, { photo, guest }: CommentsSearch): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = {
      feedback_type: 'comment' as const,
      status: 'pending' as const,
      limit: 100,
      page,
      ...(photo && { photo_id: photo }),
      ...(guest && { guest }),
    }
    const params = { path: { event_id: eventId }, query }
    const response = await unwrap(api.GET('/api/admin/feedback/events/{event_id}', { params }))
    ids.push(...response.feedback.map(({ id }) => id))
    pages = response.pagination.pages
  }
  return ids
}
