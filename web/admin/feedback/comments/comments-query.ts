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

function fetchComments(
  eventId: number,
  { status, photo, guest, page }: CommentsSearch,
  limit: number,
  signal: AbortSignal | null = null,
) {
  const query = {
    feedback_type: 'comment' as const,
    limit,
    ...(page && { page }),
    ...(status && { status }),
    ...(photo && { photo_id: photo }),
    ...(guest && { guest }),
  }
  const params = { path: { event_id: eventId }, query }
  return unwrap(api.GET('/api/admin/feedback/events/{event_id}', { params, signal }))
}

export const commentsQuery = (eventId: number, { page = 1, ...filters }: CommentsSearch) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'comments', { ...filters, page }] as const,
    queryFn: ({ signal }) => fetchComments(eventId, { ...filters, page }, commentsPerPage, signal),
  })

export const commentCountQuery = (eventId: number, search: Omit<CommentsSearch, 'page'>) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'commentCount', search] as const,
    queryFn: async ({ signal }) => (await fetchComments(eventId, search, 1, signal)).pagination.total,
  })

export async function fetchPendingIds(eventId: number, search: Omit<CommentsSearch, 'page'>): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { feedback, pagination } = await fetchComments(eventId, { ...search, status: 'pending', page }, 100)
    ids.push(...feedback.map(({ id }) => id))
    pages = pagination.pages
  }
  return ids
}
