import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Accepts application/octet-stream without parsing it; the operations read the stream. */
export function acceptOctetStreams(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))
}

export function parseContentLength({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}
