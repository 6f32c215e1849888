import type { FastifyRequest } from 'fastify'

/** The origin under which this request reached us. Only to be used for answers to authenticated callers (decisions §1). */
export const originOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}`

export type GalleryLink = { slug: string; share_token: string }

export const sharePath = ({ slug, share_token }: GalleryLink): string => `/gallery/${slug}/${share_token}`
