import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

const maxDroppedBytes = 16 * 2 ** 20
const silenceMilliseconds = 60_000

/**
 * Ends a body after 60 seconds without a byte. After an early response it reads and drops up to 16 MB of the body, so
 * that the client can read the response.
 */
export function watchRequestBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.raw.complete && hasBody(request.raw)) limitSilence(request.raw, reply.raw)
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.raw.complete || !hasBody(request.raw)) return
    dropRest(request.raw)
    closeBehindRest(request.raw, reply.raw)
  })
}

const hasBody = (raw: IncomingMessage): boolean =>
  raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0

/** After the response, Node's own limit for idle connections applies and must stay. */
function limitSilence(raw: IncomingMessage, answer: ServerResponse): void {
  raw.socket.setTimeout(silenceMilliseconds)
  raw.once('end', () => {
    if (!answer.writableFinished) raw.socket.setTimeout(0)
  })
}

function dropRest(raw: IncomingMessage): void {
  let dropped = 0
  raw.unpipe()
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > maxDroppedBytes) raw.socket.destroy()
  })
  raw.on('error', () => raw.socket.destroy())
  raw.resume()
}

/**
 * Otherwise Node closes right after the response, and the unread rest of the body resets the connection before the
 * client has read the response.
 */
function closeBehindRest(raw: IncomingMessage, answer: ServerResponse): void {
  if (answer.shouldKeepAlive) return
  answer.shouldKeepAlive = true
  const close = () => raw.socket.end()
  raw.once('end', () => (answer.writableFinished ? close() : answer.once('finish', close)))
}
