import { queryOptions } from '@tanstack/react-query'
import type { FeedbackStatus } from '../../../contract/feedback.ts'
import { api, must, type Wire } from '../api/api.ts'

export type Comment = Wire['ListFeedbackReply']['feedback'][number]

export type CommentsSearch = { status?: FeedbackStatus; photo?: number; guest?: string; page?: number }

const commentsAtOnce = 50

export function readCommentsSearch(search: Record<string, unknown>): CommentsSearch {
  const { status, guest } = search
  const isStatus = status === 'pending' || status === 'approved' || status === 'hidden'
  const whole = (value: unknown) => (Number(value) >= 1 ? Math.trunc(Number(value)) : undefined)
  const photo = whole(search.photo)
  const page = whole(search.page)
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
        limit: commentsAtOnce,
        page,
        ...(status && { status }),
        ...(photo && { photo_id: photo }),
        ...(guest && { guest }),
      }
      return must(
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
      return (await must(api.GET('/api/admin/feedback/events/{event_id}', { params, signal }))).pagination.total
    },
  })

export async function askWaitingIds(eventId: number, { photo, guest }: CommentsSearch): Promise<number[]> {
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
    const answer = await must(api.GET('/api/admin/feedback/events/{event_id}', { params }))
    ids.push(...answer.feedback.map(({ id }) => id))
    pages = answer.pagination.pages
  }
  return ids
}
