import { sha256 } from '@noble/hashes/sha2.js'
import { contentHash } from './content-hash.ts'

/** Browsers lend their own digest to pages with TLS alone. */
const digest = crypto.subtle
  ? async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  : sha256

/** Takes a file, answers its `content_hash`; null when it cannot be read. */
addEventListener('message', async ({ data }: MessageEvent<File>) => {
  postMessage(await contentHash(data, digest).catch(() => null))
})
