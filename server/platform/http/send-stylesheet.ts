import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matches } from './send-file.ts'

export function sendStylesheet(
  request: FastifyRequest,
  reply: FastifyReply,
  style: string,
  cacheControl: string,
): FastifyReply {
  const etag = `"${createHash('sha256').update(style).digest('base64url')}"`
  reply.headers({ etag, 'cache-control': cacheControl })
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('text/css; charset=utf-8').send(style)
}
