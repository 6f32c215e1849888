import createClient from 'openapi-fetch'
import type { components, paths } from './admin-api.d.ts'
import { ApiError } from './api-error.ts'
import { sessionFetch } from './session-fetch.ts'

/** Every call of the admin API, typed by its description. What it answers goes through `must`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sessionFetch })

/** The records of the admin API by name: `Wire['Event']`. */
export type Wire = components['schemas']

type Answered<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** What was asked for. Throws ApiError for a no, and Unreachable. */
export async function must<T>(asked: Answered<T>): Promise<T> {
  const { data, error, response } = await asked
  if (!response.ok) throw new ApiError(response, error)
  return data as T
}
