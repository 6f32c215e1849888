import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'
import { combineCrc32 } from './crc32-arithmetic.ts'

/** Block size of ContentDigest. An upload chunk has the same size, so that each chunk can be hashed separately. */
export const digestBlockBytes = 10_485_760

export type FileDigest = { contentHash: string; crc32: number }

/** SHA-256 over the binary SHA-256 digests of 10,485,760-byte blocks (lowercase hex), and the CRC-32 of all bytes. */
export class ContentDigest {
  readonly #tree = createHash('sha256')
  #block: Hash | null = null
  #blockBytes = 0
  #crc32 = 0
  sizeBytes = 0

  update(chunk: Uint8Array): void {
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

  finish(): FileDigest {
    this.#endBlock()
    return { contentHash: this.#tree.digest('hex'), crc32: this.#crc32 }
  }

  #endBlock(): void {
    if (this.#block) this.#tree.update(this.#block.digest())
    this.#block = null
    this.#blockBytes = 0
  }
}

/** Reads a file once. Throws errors of the file system. */
export async function digestFile(path: string): Promise<FileDigest & { sizeBytes: number }> {
  const digest = new ContentDigest()
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) digest.update(chunk)
  return { ...digest.finish(), sizeBytes: digest.sizeBytes }
}

export type BlockDigest = { sha256: string; crc32: number; sizeBytes: number }

export function createBlockDigest() {
  const hash = createHash('sha256')
  let sum = 0
  let sizeBytes = 0
  return {
    update(bytes: Uint8Array): void {
      hash.update(bytes)
      sum = crc32(bytes, sum)
      sizeBytes += bytes.length
    },
    finish: (): BlockDigest => ({ sha256: hash.digest('hex'), crc32: sum, sizeBytes }),
  }
}

/** Computes the digest of a file from those of its blocks, without reading the file. */
export function digestOfBlocks(blocks: readonly BlockDigest[]): FileDigest {
  const tree = createHash('sha256')
  let sum = 0
  for (const { sha256, crc32, sizeBytes } of blocks) {
    tree.update(sha256, 'hex')
    sum = combineCrc32(sum, crc32, sizeBytes)
  }
  return { contentHash: tree.digest('hex'), crc32: sum }
}

/**
 * Computes the content hash from the SHA-256 of the file. Returns null without a SHA-256, and for a file that is empty
 * or larger than one block (`digestBlockBytes`).
 */
export function computeTreeHash(sha256: string | null, sizeBytes: number): string | null {
  if (sha256 === null || sizeBytes === 0 || sizeBytes > digestBlockBytes) return null
  const block: BlockDigest = { sha256, crc32: 0, sizeBytes }
  return digestOfBlocks([block]).contentHash
}
