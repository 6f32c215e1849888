import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What changes something. */
export const isWrite = ({ method }: FastifyRequest): boolean => !readMethods.has(method)

/**
 * Whether a browser says that a page of somebody else sends this. Origin is not asked: from a page without referrer it
 * is `null` even to ourselves.
 */
export const isFromElsewhere = ({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none'

/** Refuses a write that a browser sends with a cookie from a page of somebody else. */
export function assertCookieWrite(request: FastifyRequest, publicUrl: string | null): void {
  if (!isWrite(request)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new AppError('CROSS_ORIGIN')
    return
  }
  const { origin } = request.headers
  if (origin === undefined) return
  // The scheme is not compared: TLS may end at a proxy.
  const host = URL.canParse(origin) ? new URL(origin).host : null
  const ours = [request.host, request.headers.host, publicUrl && new URL(publicUrl).host]
  if (host === null || !ours.includes(host)) throw new AppError('CROSS_ORIGIN')
}
