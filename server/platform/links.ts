import type { FastifyRequest } from 'fastify'

/**
 * The origin under which this request reached us; null where it names no host that an address could have. Only to be
 * used for answers to authenticated callers.
 */
export function originOf(request: FastifyRequest): string | null {
  const url = URL.parse(`${request.protocol}://${request.host}`)
  return url && url.href === `${url.origin}/` ? url.origin : null
}

export type GalleryLink = { slug: string; share_token: string }

export const sharePath = ({ slug, share_token }: GalleryLink): string => `/gallery/${slug}/${share_token}`
