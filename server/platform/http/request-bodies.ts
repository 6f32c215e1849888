import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const mostDroppedBytes = 16 * 2 ** 20
const silenceMilliseconds = 60_000

/**
 * Bodies may take as long as they take, but 60 s without a byte end them. An answer that comes before the body has
 * arrived reads and drops up to 16 MB of the rest, so that the client sees the answer (decisions §1).
 */
export function watchRequestBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!request.raw.complete && hasBody(request.raw)) request.raw.socket.setTimeout(silenceMilliseconds)
  })
  app.addHook('onSend', async (request) => {
    if (!request.raw.complete && hasBody(request.raw)) dropRest(request.raw)
  })
  app.addHook('onResponse', async (request) => {
    request.raw.socket.setTimeout(0)
  })
}

const hasBody = (raw: IncomingMessage): boolean =>
  raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0

function dropRest(raw: IncomingMessage): void {
  let dropped = 0
  raw.unpipe()
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > mostDroppedBytes) raw.socket.destroy()
  })
  raw.on('error', () => raw.socket.destroy())
  raw.resume()
}
