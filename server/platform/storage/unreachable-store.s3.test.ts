import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { bucketBehindProxy, openS3ForTest } from '../../../tests/support/storage/s3-storage.ts'
import { listKeys, storeFile } from '../../../tests/support/storage/test-storage.ts'
import { readConfig } from '../configuration/config.ts'
import { openStorage } from './open-storage.ts'
import { FileMissing, type Storage, StorageUnavailable } from './storage.ts'

async function behindProxy() {
  const { proxy, direct, reached } = await bucketBehindProxy()
  return { proxy, environment: reached, storage: await openS3ForTest(reached), direct: await openS3ForTest(direct) }
}

const everything = (storage: Storage): Array<[string, () => Promise<unknown>]> => [
  ['read', () => storage.readSmallFile('events/7/a.jpg', 3)],
  ['open', () => storage.openStream('events/7/a.jpg')],
  ['lend', () => storage.withLocalFile('events/7/a.jpg', async () => 'lent')],
  ['commit', () => storeFile(storage, 'events/7/b.jpg', Buffer.from('b'))],
  // With another key, because the request may take effect once the connection works again.
  ['remove', () => storage.remove('events/7/other.jpg')],
  ['set aside', () => storage.quarantine('events/7/other.jpg')],
  ['list', () => listKeys(storage, 'events')],
  ['begin', () => storage.multipart.begin('events/7/c', 'events/7/originals/c.jpg')],
  ['check', () => storage.check()],
]

for (const how of ['cut', 'stall'] as const) {
  // A stalled connection ends after five seconds.
  const options = how === 'cut' ? {} : { tags: 'nightly' }
  test(`an unreachable store is reported when the connection is ${how}, and recovers by itself`, options, async () => {
    const { proxy, storage, direct } = await behindProxy()
    await storeFile(storage, 'events/7/a.jpg', Buffer.from('abc'))
    proxy[how]()
    await Promise.all(
      everything(storage).map(([name, ask]) => expect(ask(), name).rejects.toBeInstanceOf(StorageUnavailable)),
    )
    expect(await listKeys(direct, 'events')).toEqual(['events/7/a.jpg'])
    proxy.open()
    expect((await storage.readSmallFile('events/7/a.jpg', 3)).toString()).toBe('abc')
    await storeFile(storage, 'events/7/b.jpg', Buffer.from('b'))
    expect(await listKeys(direct, 'events')).toEqual(['events/7/a.jpg', 'events/7/b.jpg'])
  })
}

test('an unreachable store leaves no partial file when the connection is cut in the middle of one', {
  tags: 'nightly',
}, async () => {
  const { proxy, storage, direct } = await behindProxy()
  const stagedPath = await storage.stage()
  await writeFile(stagedPath, randomBytes(60 * 2 ** 20))
  const committing = storage.commit([{ stagedPath, key: 'events/7/a.mp4' }])
  const failed = expect(committing).rejects.toBeInstanceOf(StorageUnavailable)
  await expect.poll(() => proxy.sentBytes(), { interval: 1 }).toBeGreaterThan(2 ** 20)
  proxy.cut()
  await failed
  expect(await listKeys(direct, 'events')).toEqual([])
  proxy.open()
  await storage.commit([{ stagedPath, key: 'events/7/a.mp4' }])
  expect(await listKeys(direct, 'events')).toEqual(['events/7/a.mp4'])
})

test('an unreachable store gets a second request when only a connection was lost', async () => {
  const { proxy, storage, direct } = await behindProxy()
  proxy.disconnectOnText('PUT /')
  await storeFile(storage, 'events/7/a.jpg', Buffer.from('abc'))
  proxy.disconnectOnText('GET /')
  expect((await storage.readSmallFile('events/7/a.jpg', 3)).toString()).toBe('abc')
  expect(await listKeys(direct, 'events')).toEqual(['events/7/a.jpg'])
})

test('an unreachable store does not prevent the start of the service', async () => {
  const { proxy, environment } = await behindProxy()
  proxy.cut()
  const storage = await openStorage(readConfig({ ...environment, DATA_DIR: await temporaryFolder() }))
  onTestFinished(storage.close)
  await expect(storage.check()).rejects.toBeInstanceOf(StorageUnavailable)
  proxy.open()
  await storage.check()
})

async function readSlowly(storage: Storage, sizeBytes: number, afterAQuarter: () => Promise<void>): Promise<Buffer> {
  const reader = await storage.openReader('events/7/a.mp4', { start: 0, end: sizeBytes - 1 }, sizeBytes)
  const pieces: Buffer[] = []
  for (let length = -1, bytes = 0, isPast = false; length !== 0; bytes += length) {
    if (!isPast && bytes > sizeBytes / 4) {
      isPast = true
      await afterAQuarter()
    }
    const piece = Buffer.alloc(100_000)
    length = await reader.read(piece)
    pieces.push(piece.subarray(0, length))
  }
  await reader.close()
  return Buffer.concat(pieces)
}

async function storedFile() {
  const there = await behindProxy()
  const bytes = randomBytes(20 * 2 ** 20)
  await storeFile(there.direct, 'events/7/a.mp4', bytes)
  return { ...there, bytes }
}

test('a file that is being read continues where a lost connection ended it', async () => {
  const { proxy, storage, bytes } = await storedFile()
  proxy.closeAfterBytes(bytes.length / 2)
  const read = await readSlowly(storage, bytes.length, async () => {})
  expect(read.equals(bytes)).toBe(true)
})

test('a file that is being read fails when the store is unreachable, and when the file was replaced', {
  tags: 'nightly',
}, async () => {
  const { proxy, storage, direct, bytes } = await storedFile()
  const readSome = async (afterAQuarter: () => Promise<void>) => {
    proxy.closeAfterBytes(bytes.length / 2)
    return (await readSlowly(storage, bytes.length, afterAQuarter)).length
  }
  await expect(readSome(async () => proxy.cut())).rejects.toBeInstanceOf(StorageUnavailable)
  proxy.open()
  const replaced = readSome(() => storeFile(direct, 'events/7/a.mp4', randomBytes(bytes.length)))
  await expect(replaced).rejects.toBeInstanceOf(FileMissing)
})
