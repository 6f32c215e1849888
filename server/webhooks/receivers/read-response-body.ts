import type { IncomingMessage } from 'node:http'

const maxStoredBytes = 1024

/** Returns at most 1 KB of UTF-8 that ends with a complete character. Rejects if the response is incomplete. */
export async function readResponseBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    if (bytes < maxStoredBytes) chunks.push(part)
    bytes += part.length
  }
  return toStoredText(Buffer.concat(chunks))
}

/** Returns at most 1 KB of text. Replaces NUL and invalid UTF-8 by U+FFFD, because PostgreSQL accepts no NUL. */
export function toStoredText(bytes: Buffer): string {
  const text = decodeCompleteCharacters(bytes).replaceAll('\0', '\ufffd')
  // U+FFFD has 3 bytes, so the text may be longer than 1 KB now.
  return decodeCompleteCharacters(Buffer.from(text))
}

/** Decodes at most 1 KB, without a character that this limit would cut in two. */
const decodeCompleteCharacters = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes.subarray(0, maxStoredBytes), { stream: bytes.length > maxStoredBytes })
