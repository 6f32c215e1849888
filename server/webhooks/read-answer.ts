import type { IncomingMessage } from 'node:http'

const maxKeptBytes = 1024

/** Returns at most 1 KB of UTF-8 that ends with a complete character. Rejects if the response is cut off. */
export async function readAnswer(answer: IncomingMessage): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    if (bytes < maxKeptBytes) kept.push(part)
    bytes += part.length
  }
  return textOf(Buffer.concat(kept))
}

/** Replaces invalid UTF-8, and NUL, which not every database accepts. The result may be longer than the input. */
export function textOf(bytes: Buffer): string {
  const text = wholeCharacters(bytes).replaceAll('\0', '\ufffd')
  return wholeCharacters(Buffer.from(text))
}

/** Drops a character that the limit would cut in two. */
const wholeCharacters = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes.subarray(0, maxKeptBytes), { stream: bytes.length > maxKeptBytes })
