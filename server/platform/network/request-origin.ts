/** The part of a Fastify request that contains the address which the client used. */
export type RequestAddress = { protocol: string; host: string }

/**
 * Returns the origin that the client used, or null for an invalid host. The host header is not trusted: use the origin
 * only in responses to authenticated callers.
 */
export function getRequestOrigin(request: RequestAddress): string | null {
  const url = URL.parse(`${request.protocol}://${request.host}`)
  return url && url.href === `${url.origin}/` ? url.origin : null
}
