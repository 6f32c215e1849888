import type { Static, TSchema } from 'typebox'
import { page } from './page.ts'

type Problem = { error?: string; code?: string; details?: Array<{ path: string; kind?: string }> }

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly retryAfterSeconds: number
  /** Paths of the invalid fields. */
  readonly paths: readonly string[]
  readonly kinds: readonly string[]
  constructor(status: number, { error, code, details = [] }: Problem, retryAfterSeconds: number) {
    super(error ?? 'The service did not answer as expected.')
    this.status = status
    this.code = code ?? 'INTERNAL_ERROR'
    this.retryAfterSeconds = retryAfterSeconds
    this.paths = details.map(({ path }) => path)
    this.kinds = details.flatMap(({ kind }) => kind ?? [])
  }
}

/** No response arrived. */
export class Unreachable extends Error {}

const base = `/api/gallery/${page.slug}`
const operatorHeaders: Record<string, string> = page.viewer.kind === 'operator' ? { 'x-operator-view': '1' } : {}

export function getRouteUrl(path: string, query: Record<string, string> = {}): string {
  const queryString = new URLSearchParams(
    page.viewer.kind === 'operator' ? { ...query, as: 'operator' } : query,
  ).toString()
  return `${base}${path}${queryString && `?${queryString}`}`
}

type RequestOptions = {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  keepalive?: boolean
}

/** Throws ApiError and Unreachable. */
export async function call<Shape extends TSchema>(path: string, init: RequestOptions = {}): Promise<Static<Shape>> {
  const { method = init.body === undefined ? 'GET' : 'POST', body, headers, ...options } = init
  const isForm = body instanceof FormData || body instanceof Blob
  const response = await fetch(base + path, {
    method,
    credentials: 'same-origin',
    headers: {
      ...operatorHeaders,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...options,
  }).catch((error) => {
    throw options.signal?.aborted ? error : new Unreachable()
  })
  const responseBody = await response.json().catch(() => ({}))
  if (!response.ok) throw new ApiError(response.status, responseBody, Number(response.headers.get('retry-after') ?? 0))
  return responseBody
}
