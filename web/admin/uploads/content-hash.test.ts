import { createHash } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { expect, test } from 'vitest'
import { hashContent } from './content-hash.ts'

const block = 10_485_760
const native = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
const plain = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** The reference implementation, which needs the whole file in memory. */
function expected(bytes: Buffer): string {
  const blocks = Array.from({ length: Math.ceil(bytes.length / block) }, (_, index) =>
    plain(bytes.subarray(index * block, (index + 1) * block)),
  )
  return createHash('sha256').update(Buffer.concat(blocks)).digest('hex')
}

test('does not overwrite a block while a slow digest still reads it', async () => {
  const bytes = Buffer.alloc(3 * block)
  for (let index = 0; index < 3; index++) bytes.fill(index + 1, index * block, (index + 1) * block)
  const late = async (part: Uint8Array<ArrayBuffer>) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return plain(part)
  }
  expect(await hashContent(new Blob([bytes]), late)).toBe(expected(bytes))
})

test.each([1, block + 1])(
  'hashes a file of %d bytes by blocks, with and without the digest of the browser',
  async (size) => {
    const bytes = Buffer.alloc(size, 'photo ')
    const file = new Blob([bytes])
    expect(await hashContent(file, native)).toBe(expected(bytes))
    expect(await hashContent(file, sha256)).toBe(expected(bytes))
  },
)
