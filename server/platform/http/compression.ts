import compress from '@fastify/compress'
import type { onSendHookHandler } from 'fastify'
import type { Http } from './create-http.ts'

/** Compresses the responses of this scope whose content type matches `types`. Request bodies are never decompressed. */
export async function compressResponses(app: Http, types: RegExp): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), removeContentLength(types)]
  })
  await app.register(compress, {
    customTypes: types,
    // Other encodings give larger responses than Brotli, and browsers that support them would get those.
    encodings: ['br', 'gzip'],
    threshold: 1_000,
    globalDecompression: false,
  })
}

/** The framework gives HEAD the length of the uncompressed body, which GET does not have (RFC 9110, section 8.6). */
const removeContentLength =
  (types: RegExp): onSendHookHandler =>
  async (_request, reply, payload) => {
    if (types.test(String(reply.getHeader('content-type')))) reply.removeHeader('content-length')
    return payload
  }
