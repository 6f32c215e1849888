import type { FastifyRequest } from 'fastify'

/** `CUBOT` is a brand of phones. */
const previewAgents = /(?<!cu)bot\b|facebookexternalhit|^whatsapp\/|^viber|skypeuripreview|crawler|spider/i

/** Returns whether the request only reads a preview and must not count as a view. */
export const isPreviewRequest = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  method === 'HEAD' || (method === 'GET' && previewAgents.test(headers['user-agent'] ?? ''))
