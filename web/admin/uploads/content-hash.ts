import { chunkBytes } from '../../../contract/chunk-bytes.ts'

type Digest = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array

/**
 * Returns the hexadecimal SHA-256 of the joined SHA-256 digests of all blocks of `chunkBytes`, as the server does.
 * Reads one block while the previous one is hashed, so two blocks are in memory.
 */
export async function hashContent(file: Blob, digest: Digest): Promise<string> {
  const digests: Array<Promise<Uint8Array>> = []
  const buffers = [0, 1].map(() => new Uint8Array(Math.min(chunkBytes, file.size)))
  let filled = 0
  for await (const chunk of readChunks(file)) {
    for (let offset = 0; offset < chunk.length; ) {
      const buffer = buffers[digests.length % 2] as Uint8Array<ArrayBuffer>
      // Waits for the digest of the previous block in this buffer.
      if (filled === 0) await digests.at(-2)
      const part = chunk.subarray(offset, offset + chunkBytes - filled)
      buffer.set(part, filled)
      offset += part.length
      filled += part.length
      if (filled === chunkBytes) {
        digests.push(Promise.resolve(digest(buffer)))
        filled = 0
      }
    }
  }
  const last = buffers[digests.length % 2] as Uint8Array<ArrayBuffer>
  if (filled > 0) digests.push(Promise.resolve(digest(last.subarray(0, filled))))
  const joined = new Uint8Array(digests.length * 32)
  for (const [index, one] of digests.entries()) joined.set(await one, index * 32)
  return [...(await digest(joined))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Some browsers do not support `for await` over a ReadableStream. */
async function* readChunks(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
