import { notifyManager, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../shared/api-error.ts'
import { api, unwrap } from '../api/api.ts'

// Updates components before the browser handles the next click, so that a double click starts only one request.
notifyManager.setScheduler(queueMicrotask)

/** The cache of all pages. Rejected requests (4xx) are not retried; other failures are retried twice. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (failureCount, error) => !(error instanceof ApiError && error.status < 500) && failureCount < 2,
    },
  },
})

// An attribute of the document tells scripts and tests that data is being loaded.
queries
  .getQueryCache()
  .subscribe(() => document.documentElement.toggleAttribute('data-loading', queries.isFetching() > 0))

/** For accounts with the permission `settings.view`. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/settings', { signal })),
})
