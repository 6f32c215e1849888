import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ContentDigest, createBlockDigest, digestBlockBytes, digestOfBlocks } from './content-digest.ts'

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

function referenceHash(file: Buffer): string {
  const digests: Buffer[] = []
  for (let start = 0; start < file.length; start += digestBlockBytes) {
    digests.push(sha256(file.subarray(start, start + digestBlockBytes)))
  }
  return sha256(Buffer.concat(digests)).toString('hex')
}

function digestOf(chunks: Buffer[]) {
  const digest = new ContentDigest()
  for (const chunk of chunks) digest.update(chunk)
  return { ...digest.finish(), sizeBytes: digest.sizeBytes }
}

function cutAt(file: Buffer, cuts: number[]): Buffer[] {
  const positions = [0, ...cuts.map((cut) => Math.floor(cut * file.length)).sort((a, b) => a - b), file.length]
  return positions.slice(1).map((position, index) => file.subarray(positions[index], position))
}

const bytes = Buffer.alloc(2 * digestBlockBytes + 100)
for (let at = 0, state = 1; at < bytes.length; at++) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
  bytes[at] = state >>> 16
}

const aroundBlocks = fc
  .tuple(fc.constantFrom(1, 2), fc.integer({ min: -3, max: 3 }))
  .map(([n, by]) => n * digestBlockBytes + by)
const anySize = fc.oneof(fc.integer({ min: 0, max: 70_000 }), aroundBlocks)
const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })

test('the hash is the tree hash and the CRC-32 is that of zlib, for all sizes and chunks', () => {
  fc.assert(
    fc.property(anySize, anyCuts, (size, cuts) => {
      const file = bytes.subarray(0, size)
      const found = digestOf(cutAt(file, cuts))
      expect(found).toEqual({ contentHash: referenceHash(file), crc32: crc32(file), sizeBytes: size })
    }),
    { numRuns: 12 },
  )
})

test('the digests of the blocks give those of the file', () => {
  fc.assert(
    fc.property(anySize, (size) => {
      const file = bytes.subarray(0, size)
      const blocks = Array.from({ length: Math.ceil(size / digestBlockBytes) }, (_, index) => {
        const digest = createBlockDigest()
        digest.update(file.subarray(index * digestBlockBytes, (index + 1) * digestBlockBytes))
        return digest.finish()
      })
      expect(digestOfBlocks(blocks)).toEqual({ contentHash: referenceHash(file), crc32: crc32(file) })
    }),
    { numRuns: 6 },
  )
})

test('the hash of an empty file is that of no blocks, and that of one block the hash of its digest', () => {
  expect(digestOf([])).toEqual({ contentHash: sha256(Buffer.alloc(0)).toString('hex'), crc32: 0, sizeBytes: 0 })
  const file = Buffer.from('a small photo')
  expect(digestOf([file]).contentHash).toBe(sha256(sha256(file)).toString('hex'))
})
