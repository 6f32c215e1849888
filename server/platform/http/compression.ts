import compress from '@fastify/compress'
import type { onSendHookHandler } from 'fastify'
import type { Http } from './create-http.ts'

/**
 * Has the answers of this scope compressed as they go out, those of a type that `types` matches: quickly, for a little
 * more size. Anything else, media above all, leaves as it is; what comes in is never unpacked.
 */
export async function compressAnswers(app: Http, types: RegExp): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), withoutLength(types)]
  })
  await app.register(compress, {
    customTypes: types,
    // Brotli is smallest; browsers that could do more would get something larger.
    encodings: ['br', 'gzip'],
    threshold: 1_000,
    globalDecompression: false,
  })
}

/** The framework answers HEAD with the length of the uncompressed body, which a GET does not have (RFC 9110, section 8.6). */
const withoutLength =
  (types: RegExp): onSendHookHandler =>
  async (_request, reply, payload) => {
    if (types.test(String(reply.getHeader('content-type')))) reply.removeHeader('content-length')
    return payload
  }
