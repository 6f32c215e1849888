import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Lets a scope take raw bytes, which its operations read as they come. */
export function takeOctetStreams(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))
}

/** The Content-Length; null for a body that does not say how long it is. */
export function announcedBytesOf({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}
