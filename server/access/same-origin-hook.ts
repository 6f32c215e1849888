import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors/app-error.ts'

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isWrite = ({ method }: FastifyRequest): boolean => !readMethods.has(method)

/** Whether `Sec-Fetch-Site` names another origin; false without this header. */
export const isCrossSite = ({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none'

/**
 * Whether a write comes from a page of another origin. Without `Sec-Fetch-Site`, which browsers do not send over plain
 * HTTP, `Origin` decides. It is `null` for forms of pages without a referrer, so our pages with forms need `formReferrer`.
 */
export function isForeignWrite(request: FastifyRequest, publicUrl: string | null): boolean {
  if (!isWrite(request)) return false
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return isCrossSite(request)
  if (origin === undefined) return false
  // Ignores the scheme, because TLS may end at a proxy.
  const host = URL.canParse(origin) ? new URL(origin).host : null
  const ours = [request.host, request.headers.host, publicUrl && new URL(publicUrl).host]
  return host === null || !ours.includes(host)
}

/** Throws CROSS_ORIGIN for a write from a page of another origin. */
export function assertCookieWrite(request: FastifyRequest, publicUrl: string | null): void {
  if (isForeignWrite(request, publicUrl)) throw new AppError('CROSS_ORIGIN')
}
