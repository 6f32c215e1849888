import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createBlockDigests } from './digest-blocks.ts'

function digestsForTest() {
  const digests = createBlockDigests()
  onTestFinished(digests.close)
  return digests
}

const digestOf = (bytes: Buffer) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  crc32: crc32(bytes),
  sizeBytes: bytes.length,
})

test('hashes concurrent blocks independently, also when others are abandoned', async () => {
  const { begin } = digestsForTest()
  const blocks = Array.from({ length: 6 }, () => ({ block: begin(), bytes: randomBytes(200_000) }))
  for (let at = 0; at < 200_000; at += 50_000) {
    const lots = blocks.map(({ block, bytes }) =>
      block.update([bytes.subarray(at, at + 20_000), bytes.subarray(at + 20_000, at + 50_000)]),
    )
    await Promise.all(lots)
  }
  for (const { block } of blocks.splice(0, 2)) block.abandon()
  const found = await Promise.all(blocks.map(({ block }) => block.finish()))
  expect(found).toEqual(blocks.map(({ bytes }) => digestOf(bytes)))
})

test('an empty block has the digest of no bytes', async () => {
  expect(await digestsForTest().begin().finish()).toEqual(digestOf(Buffer.alloc(0)))
})

test('takes ownership of unshared memory, and copies shared memory', async () => {
  const block = digestsForTest().begin()
  const [own, shared] = [Buffer.from(new Uint8Array([1, 2, 3]).buffer), Buffer.from([4, 5, 6])]
  await block.update([own, shared])
  expect(await block.finish()).toEqual(digestOf(Buffer.from([1, 2, 3, 4, 5, 6])))
  expect([own.length, ...shared]).toEqual([0, 4, 5, 6])
})

test('starts the thread again after it was idle', async () => {
  const digests = digestsForTest()
  const hash = async (bytes: Buffer) => {
    const block = digests.begin()
    await block.update([bytes])
    return block.finish()
  }
  expect(await hash(Buffer.from('a'))).toEqual(digestOf(Buffer.from('a')))
  await digests.close()
  expect(await hash(Buffer.from('b'))).toEqual(digestOf(Buffer.from('b')))
})
