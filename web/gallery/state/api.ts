import type { Static, TSchema } from 'typebox'
import { viewerQuery } from '../../../contract/gallery/gallery-tiles.ts'
import { ApiError, Unreachable } from '../../shared/api-error.ts'
import { page } from './page.ts'

const base = `/api/gallery/${page.slug}`
const view = viewerQuery(page)

/** Adds the parameters, and the view of an operator. */
export function addQuery(path: string, query: Record<string, string>): string {
  // Safari 16 does not have `size` of URLSearchParams.
  const text = new URLSearchParams({ ...query, ...view }).toString()
  return text === '' ? path : `${path}?${text}`
}

export const getRouteUrl = (path: string, query: Record<string, string> = {}): string => addQuery(base + path, query)

type RequestOptions = Omit<RequestInit, 'body' | 'headers'> & { body?: unknown; headers?: Record<string, string> }

/** Throws ApiError or Unreachable, or the fetch error if the `signal` of the options is aborted. */
export async function call<Shape extends TSchema>(
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST', headers, ...options }: RequestOptions = {},
): Promise<Static<Shape>> {
  const isForm = body instanceof FormData || body instanceof Blob
  const response = await fetch(base + path, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(view.as && { 'x-operator-view': view.as }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...options,
  }).catch((error) => {
    throw options.signal?.aborted ? error : new Unreachable()
  })
  const responseBody = await response.json().catch(() => ({}))
  if (!response.ok) throw new ApiError(response.status, responseBody, response.headers.get('retry-after'))
  return responseBody
}
