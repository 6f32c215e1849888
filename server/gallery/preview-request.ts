import type { FastifyRequest } from 'fastify'

/** `CUBOT` is a brand of phones, not a bot. */
const previewAgents = /(?<!cu)bot\b|facebookexternalhit|^whatsapp\/|^viber|skypeuripreview|crawler|spider/i

/** Returns whether a program reads the page, for a link preview or a search engine. This must not count as a view. */
export const isPreviewRequest = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  method === 'HEAD' || (method === 'GET' && previewAgents.test(headers['user-agent'] ?? ''))
