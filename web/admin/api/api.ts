import createClient from 'openapi-fetch'
import { ApiError } from '../../shared/api-error.ts'
import type { components, paths } from './admin-api.d.ts'
import { sessionFetch } from './session-fetch.ts'

/** The client of the admin API, typed by its OpenAPI description. Pass the result of each call to `unwrap`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sessionFetch })

/** The schemas of the admin API by name, such as `Schemas['Event']`. */
export type Schemas = components['schemas']

type ApiCall<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** Returns the body of a successful response. Throws ApiError for other responses, and errors of the call itself. */
export async function unwrap<T>(call: ApiCall<T>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw new ApiError(response.status, error, response.headers.get('retry-after'))
  return data as T
}
