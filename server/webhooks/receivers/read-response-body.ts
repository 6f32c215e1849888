import type { IncomingMessage } from 'node:http'

const maxStoredBytes = 1024

/** Returns at most 1 KB of UTF-8 that ends with a complete character. Rejects if the response is cut off. */
export async function readResponseBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    if (bytes < maxStoredBytes) chunks.push(part)
    bytes += part.length
  }
  return toStoredText(Buffer.concat(chunks))
}

/** Replaces invalid UTF-8, and NUL, which not every database accepts. The result may be longer than the input. */
export function toStoredText(bytes: Buffer): string {
  const text = decodeCompleteCharacters(bytes).replaceAll('\0', '\ufffd')
  return decodeCompleteCharacters(Buffer.from(text))
}

/** Drops a character that the limit would cut in two. */
const decodeCompleteCharacters = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes.subarray(0, maxStoredBytes), { stream: bytes.length > maxStoredBytes })
