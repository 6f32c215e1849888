import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'

/** Sends a text that is saved as a file. */
export function sendText(
  reply: FastifyReply,
  type: 'text/csv' | 'text/plain',
  downloadName: string,
  body: Readable | string,
): FastifyReply {
  reply.headers({ 'content-disposition': contentDisposition(downloadName), 'cache-control': 'private, no-store' })
  return reply.type(`${type}; charset=utf-8`).send(body)
}
