import { createHash, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { linux, requireOrSkip } from '../../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { createDigestThread } from './digest-thread-client.ts'

function digestsForTest() {
  const digests = createDigestThread()
  onTestFinished(digests.close)
  return digests
}

const digestOf = (bytes: Buffer) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  crc32: crc32(bytes),
  sizeBytes: bytes.length,
})

test('hashes concurrent blocks independently, also when others are abandoned', async () => {
  const { beginBlock } = digestsForTest()
  const blocks = Array.from({ length: 6 }, () => ({ block: beginBlock(), bytes: randomBytes(200_000) }))
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

test('takes ownership of large unshared memory, and copies shared memory and small pieces', async () => {
  const block = digestsForTest().beginBlock()
  const [own, small] = [4096, 60].map((length) => Buffer.from(new Uint8Array(length).fill(length).buffer))
  const shared = Buffer.from([4, 5, 6])
  const all = Buffer.concat([own as Buffer, small as Buffer, shared])
  await block.update([own as Buffer, small as Buffer, shared])
  expect(await block.finish()).toEqual(digestOf(all))
  expect([own?.length, small?.length, ...shared]).toEqual([0, 60, 4, 5, 6])
})

test('starts the thread again after it was idle', async () => {
  const digests = digestsForTest()
  const hash = async (bytes: Buffer) => {
    const block = digests.beginBlock()
    await block.update([bytes])
    return block.finish()
  }
  expect(await hash(Buffer.from('a'))).toEqual(digestOf(Buffer.from('a')))
  await digests.close()
  expect(await hash(Buffer.from('b'))).toEqual(digestOf(Buffer.from('b')))
})

test('writes and hashes concurrent files, also when others are abandoned', async () => {
  const { beginFile } = digestsForTest()
  const folder = await temporaryFolder()
  const files = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const handle = await open(join(folder, String(index)), 'wx+')
      onTestFinished(() => handle.close())
      return { handle, file: beginFile(handle), bytes: randomBytes(200_000) }
    }),
  )
  for (const at of [0, 100_000]) {
    const parts = files.map(({ file, bytes }) => file.write([Buffer.from(bytes.subarray(at, at + 100_000))], at))
    await Promise.all(parts)
  }
  files.shift()?.file.abandon()
  const found = await Promise.all(files.map(({ file }) => file.finish()))
  expect(found.map(({ crc32: sum }) => sum)).toEqual(files.map(({ bytes }) => crc32(bytes)))
  const written = await Promise.all(files.map(({ handle }) => handle.readFile()))
  expect(written.map((bytes, index) => files[index]?.bytes.equals(bytes))).toEqual(files.map(() => true))
})

test('rejects with the code of a failed write, and the thread serves others', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const { beginFile, beginBlock } = digestsForTest()
  const full = await open('/dev/full', 'r+')
  onTestFinished(() => full.close())
  const file = beginFile(full)
  await expect(file.write([randomBytes(10)], 0)).rejects.toMatchObject({ code: 'ENOSPC' })
  file.abandon()
  expect(await beginBlock().finish()).toEqual(digestOf(Buffer.alloc(0)))
})
