import compress from '@fastify/compress'
import type { Http } from './create-http.ts'

/**
 * Has the answers of this scope compressed as they go out, those of a type that `types` matches: quickly, for a little
 * more size. Anything else, media above all, leaves as it is; what comes in is never unpacked.
 */
export async function compressAnswers(app: Http, types: RegExp): Promise<void> {
  await app.register(compress, {
    customTypes: types,
    // Brotli is smallest; browsers that could do more would get something larger.
    encodings: ['br', 'gzip'],
    threshold: 1_000,
    globalDecompression: false,
  })
}
