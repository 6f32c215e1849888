import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const maxDiscardedBytes = 16 * 2 ** 20
const idleTimeoutMs = 60_000

/**
 * Closes the connection when no byte of a body arrives for 60 seconds. After an early response, up to 16 MiB of the
 * body are read and dropped, so that the client can read the response.
 */
export function limitRequestBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.raw.complete && hasBody(request.raw)) limitIdleTime(request.raw, reply.raw)
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.raw.complete || !hasBody(request.raw)) return
    discardRest(request.raw)
    closeAfterRest(request.raw, reply.raw)
  })
}

const hasBody = (raw: IncomingMessage): boolean =>
  raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0

/** After the response, Node's own limit for idle connections applies and must stay. */
function limitIdleTime(raw: IncomingMessage, answer: ServerResponse): void {
  raw.socket.setTimeout(idleTimeoutMs)
  raw.once('end', () => {
    if (!answer.writableFinished) raw.socket.setTimeout(0)
  })
}

function discardRest(raw: IncomingMessage): void {
  let dropped = 0
  raw.unpipe()
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > maxDiscardedBytes) raw.socket.destroy()
  })
  raw.on('error', () => raw.socket.destroy())
  raw.resume()
}

/**
 * Closes the connection only after the rest of the body. Node would close it with the response, and unread bytes would
 * then reset the connection before the client has read the response.
 */
function closeAfterRest(raw: IncomingMessage, answer: ServerResponse): void {
  if (answer.shouldKeepAlive) return
  answer.shouldKeepAlive = true
  const close = () => raw.socket.end()
  raw.once('end', () => (answer.writableFinished ? close() : answer.once('finish', close)))
}

/** Accepts application/octet-stream without parsing it; handlers read `request.raw`. */
export function acceptOctetStreams(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))
}

export function parseContentLength({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}
