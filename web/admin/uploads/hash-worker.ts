import { sha256 } from '@noble/hashes/sha2.js'
import { hashContent } from './content-hash.ts'

/** `crypto.subtle` exists only in secure contexts (HTTPS or localhost). */
const digest = crypto.subtle
  ? async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  : sha256

addEventListener('message', async ({ data }: MessageEvent<File>) => {
  postMessage(await hashContent(data, digest).catch(() => null))
})
