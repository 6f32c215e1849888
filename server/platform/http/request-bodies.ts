import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

const maxDroppedBytes = 16 * 2 ** 20
const silenceMilliseconds = 60_000

/**
 * Bodies may take as long as they take, but 60 s without a byte end them. An answer that comes before the body has
 * arrived reads and drops up to 16 MB of the rest, so that the client sees the answer.
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

/** Behind an answer Node itself limits how long a connection may be idle: that stays. */
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
 * Asked to close, Node does so right behind the answer; what is on its way then breaks the connection before the client
 * has read a word. Here the rest comes first.
 */
function closeBehindRest(raw: IncomingMessage, answer: ServerResponse): void {
  if (answer.shouldKeepAlive) return
  answer.shouldKeepAlive = true
  const close = () => raw.socket.end()
  raw.once('end', () => (answer.writableFinished ? close() : answer.once('finish', close)))
}
