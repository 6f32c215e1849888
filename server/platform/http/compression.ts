import compress from '@fastify/compress'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Http } from './create-http.ts'

/** Compresses the responses of this scope whose content type matches `types`. Request bodies are never decompressed. */
export async function compressResponses(app: Http, types: RegExp): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), removeContentLength(types)]
  })
  await app.register(compress, {
    customTypes: types,
    // With more encodings, some browsers would get one that gives larger responses than Brotli.
    encodings: ['br', 'gzip'],
    threshold: 1_000,
    globalDecompression: false,
  })
}

/** For HEAD, Fastify sets the length of the uncompressed body, but GET has another length (RFC 9110, section 8.6). */
const removeContentLength =
  (types: RegExp): onSendHookHandler =>
  async (_request, reply, payload) => {
    if (types.test(String(reply.getHeader('content-type')))) reply.removeHeader('content-length')
    return payload
  }

const acceptedGzip = /(^|[\s,])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))/

/** Sends JSON that is serialized already, and compressed already for clients that accept it. */
export function sendSerialized(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, gzip }: { json: Buffer; gzip: Buffer },
): FastifyReply {
  reply.type('application/json; charset=utf-8')
  if (!acceptedGzip.test(request.headers['accept-encoding'] ?? '')) return reply.send(json)
  return reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' }).send(gzip)
}
