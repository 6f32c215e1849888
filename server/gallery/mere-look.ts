import type { FastifyRequest } from 'fastify'

/**
 * Programs that fetch a page to show what a link leads to, or to find it again; they say what they are. `CUBOT` is a make
 * of phones.
 */
const programs = /(?<!cu)bot\b|facebookexternalhit|^whatsapp\/|^viber|skypeuripreview|crawler|spider/i

/** Whether nobody comes in: a HEAD asks what is there, and a messenger what it shall show of the link. */
export const isMereLook = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  method === 'HEAD' || (method === 'GET' && programs.test(headers['user-agent'] ?? ''))
