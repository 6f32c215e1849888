import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Blocks of the tree hash; also the size of an upload chunk, so that chunks hash alone. */
export const digestBlockBytes = 10_485_760

/**
 * Hashes a file as its bytes pass: SHA-256 over the binary SHA-256 digests of its 10,485,760-byte blocks (lower-case
 * hex), and the CRC-32 of the whole (decisions §3).
 */
export class ContentDigest {
  readonly #tree = createHash('sha256')
  #block: Hash | null = null
  #blockBytes = 0
  #crc32 = 0
  sizeBytes = 0

  update(chunk: Buffer): void {
    this.sizeBytes += chunk.length
    this.#crc32 = crc32(chunk, this.#crc32)
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, digestBlockBytes - this.#blockBytes)
      this.#block ??= createHash('sha256')
      this.#block.update(part)
      this.#blockBytes += part.length
      if (this.#blockBytes === digestBlockBytes) this.#endBlock()
      rest = rest.subarray(part.length)
    }
  }

  finish(): { contentHash: string; crc32: number } {
    this.#endBlock()
    return { contentHash: this.#tree.digest('hex'), crc32: this.#crc32 }
  }

  #endBlock(): void {
    if (this.#block) this.#tree.update(this.#block.digest())
    this.#block = null
    this.#blockBytes = 0
  }
}
