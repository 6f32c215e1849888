import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isWrite = ({ method }: FastifyRequest): boolean => !readMethods.has(method)

/**
 * Whether `Sec-Fetch-Site` names another origin; false without this header. Ignores `Origin`, which is `null` on our
 * own pages that send no referrer.
 */
export const isCrossSite = ({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none'

/** Throws CROSS_ORIGIN for a write from a page of another origin. */
export function assertCookieWrite(request: FastifyRequest, publicUrl: string | null): void {
  if (!isWrite(request)) return
  if (isCrossSite(request)) throw new AppError('CROSS_ORIGIN')
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined || origin === undefined) return
  // Ignores the scheme, because TLS may end at a proxy.
  const host = URL.canParse(origin) ? new URL(origin).host : null
  const ours = [request.host, request.headers.host, publicUrl && new URL(publicUrl).host]
  if (host === null || !ours.includes(host)) throw new AppError('CROSS_ORIGIN')
}
