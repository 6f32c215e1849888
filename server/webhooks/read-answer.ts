import type { IncomingMessage } from 'node:http'

/** So much of an answer is kept. */
const maxKeptBytes = 1024

/**
 * The beginning of an answer, at most 1 KB of UTF-8, ending with a whole character. Rejects for an answer that is cut
 * off before its end.
 */
export async function readAnswer(answer: IncomingMessage): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    if (bytes < maxKeptBytes) kept.push(part)
    bytes += part.length
  }
  return textOf(Buffer.concat(kept))
}

/**
 * What is no UTF-8, and NUL, which not every database takes, is marked as such. The marks may be longer than what was
 * there.
 */
export function textOf(bytes: Buffer): string {
  const text = wholeCharacters(bytes).replaceAll('\0', '\ufffd')
  return wholeCharacters(Buffer.from(text))
}

/** Without the character that the limit would cut in two. */
const wholeCharacters = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes.subarray(0, maxKeptBytes), { stream: bytes.length > maxKeptBytes })
