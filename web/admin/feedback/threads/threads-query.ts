import { queryOptions } from '@tanstack/react-query'
import { type ThreadKind, threadKinds } from '../../../../contract/gallery/thread-kinds.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { parsePositiveInt } from '../../app/search-params.ts'
import { invalidateOtherParts, invalidatePart } from '../picks-query.ts'

export type Thread = Schemas['Thread']
type ThreadList = Schemas['ListThreadsReply']

/** What the To do list shows. Without `state`, it shows open threads. */
export type TodoSearch = { state?: 'done'; kind?: ThreadKind; photo?: number; page?: number }

export function parseTodoSearch({ state, kind, photo, page }: Record<string, unknown>): TodoSearch {
  const knownKind = threadKinds.find((one) => one === kind)
  const [photoId, pageNumber] = [parsePositiveInt(photo), parsePositiveInt(page)]
  return {
    ...(state === 'done' && { state }),
    ...(knownKind && { kind: knownKind }),
    ...(photoId && { photo: photoId }),
    ...(pageNumber && { page: pageNumber }),
  }
}

/** The parameters of the API, without those of the page. */
export const toThreadsQuery = ({ state, kind, photo }: TodoSearch) => ({
  state: state ?? ('open' as const),
  order: 'name' as const,
  ...(kind && { kind }),
  ...(photo && { photo_id: photo }),
})

const threadsPerPage = 100

async function fetchThreads(eventId: number, search: TodoSearch, limit: number, signal: AbortSignal) {
  const query = { ...toThreadsQuery(search), page: search.page ?? 1, limit }
  const params = { path: { event_id: eventId }, query }
  return (await unwrap(api.GET('/api/admin/events/{event_id}/threads', { params, signal }))) as ThreadList
}

export const threadsQuery = (eventId: number, search: TodoSearch) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'threads', search] as const,
    queryFn: ({ signal }) => fetchThreads(eventId, search, threadsPerPage, signal),
  })

/** All pages of the list. */
export const allThreadsQuery = (eventId: number, search: TodoSearch) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'threads', 'all', search] as const,
    queryFn: async ({ signal }) => {
      const threads: Thread[] = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const part = await fetchThreads(eventId, { ...search, page }, threadsPerPage, signal)
        threads.push(...part.threads)
        pages = part.pagination.pages
      }
      return threads
    },
  })

export const threadQuery = (eventId: number, threadId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'threads', 'one', threadId] as const,
    queryFn: ({ signal }) => {
      const params = { path: { event_id: eventId, thread_id: threadId } }
      return unwrap(api.GET('/api/admin/events/{event_id}/threads/{thread_id}', { params, signal }))
    },
  })

export const threadCountQuery = (eventId: number, search: TodoSearch) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'threadCount', search] as const,
    queryFn: async ({ signal }) => (await fetchThreads(eventId, search, 1, signal)).pagination.total,
  })

/** Waits only for the lists of threads. The counts are refreshed later. */
export async function invalidateThreads(eventId: number): Promise<void> {
  await invalidatePart(eventId, 'threads')
  void invalidateOtherParts(eventId, 'threads')
}

/** Threads by photo, in the order of the list. */
export const groupByPhoto = (threads: readonly Thread[]) => [...Map.groupBy(threads, ({ photo_id }) => photo_id)]
