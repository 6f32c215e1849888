import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'

// Before the next click is heard: what is under way already is not begun again by it.
notifyManager.setScheduler(queueMicrotask)

/** What was asked for and answered, for all pages. A rejection stays one; a service that is away is asked again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (times, error) => !(error instanceof ApiError && error.status < 500) && times < 2,
    },
  },
})
