import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { bucketForTest, openS3ForTest, s3StorageForTest } from '../../../tests/support/storage/s3-storage.ts'
import { listKeys, storeFile } from '../../../tests/support/storage/test-storage.ts'
import { readConfig } from '../configuration/config.ts'
import { ContentDigest } from './content-digest.ts'
import { openStorage } from './open-storage.ts'
import { storageSuite } from './storage.suite.ts'
import { FileMissing, type Storage } from './storage.ts'

/** S3 requires at least this size for all parts but the last. */
const partBytes = 5 * 2 ** 20

storageSuite(s3StorageForTest, { partBytes, forMultipartDetails: { tags: 'nightly' } })

test('storage in a bucket is shared by all with the same prefix, and by no others', async () => {
  const environment = await bucketForTest()
  const [one, other] = [await openS3ForTest(environment), await openS3ForTest(environment)]
  await storeFile(one, 'events/7/a.jpg', Buffer.from('a'))
  expect(await listKeys(other, 'events')).toEqual(['events/7/a.jpg'])
  expect(await listKeys(await s3StorageForTest(), 'events')).toEqual([])
})

test('storage in a bucket has no size limit, and reports the disk of incoming files', async () => {
  expect(await (await s3StorageForTest()).space()).toMatchObject({ isUnlimited: true })
})

test('storage in a bucket uploads a large file in parts, completely or not at all', { tags: 'nightly' }, async () => {
  const storage = await s3StorageForTest()
  const bytes = randomBytes(70 * 2 ** 20)
  await storeFile(storage, 'events/7/a.mp4', bytes)
  const range = { start: 64 * 2 ** 20 - 10, end: 64 * 2 ** 20 + 9 }
  const read = await buffer(await storage.openStream('events/7/a.mp4', range, bytes.length))
  expect(read.equals(bytes.subarray(range.start, range.end + 1))).toBe(true)
  expect(await storage.withLocalFile('events/7/a.mp4', async (path) => bytes.equals(await readFile(path)))).toBe(true)
  expect(await unfinished(storage)).toEqual([])
})

test('storage in a bucket quarantines and restores a multipart file, byte for byte', { tags: 'nightly' }, async () => {
  const storage = await s3StorageForTest()
  const file = await inParts([storage])
  const key = 'events/7/originals/a.jpg'
  await storage.multipart.withLocalFile(file, asWhole, (stagedPath) => storage.commit([{ stagedPath, key }]))
  await storage.quarantine(key)
  const aside: unknown[] = []
  for await (const { key, sizeBytes } of storage.listQuarantined()) aside.push([key, sizeBytes])
  expect(aside).toEqual([[key, whole.length]])
  await storage.restoreQuarantined(key)
  expect((await storage.readSmallFile(key, whole.length)).equals(whole)).toBe(true)
})

test('storage in a bucket dates a multipart file a day later, because the store uses the start of the upload', {
  tags: 'nightly',
}, async () => {
  const storage = await s3StorageForTest()
  await storage.multipart.withLocalFile(await inParts([storage]), asWhole, async () => undefined)
  for await (const { modifiedAt } of storage.list('events')) {
    expect(Math.abs(modifiedAt - Date.now() - 86_400_000)).toBeLessThan(60_000)
  }
})

const whole = randomBytes(3 * partBytes + 1000)
const digest = new ContentDigest()
digest.update(whole)
const asWhole = { sizeBytes: whole.length, contentHash: digest.finish().contentHash }

const finalKey = 'events/7/originals/a.jpg'

function writePart(storage: Storage, file: string, index: number, bytes = whole) {
  const offset = index * partBytes
  const part = { index, offset, sizeBytes: Math.min(partBytes, bytes.length - offset) }
  return storage.multipart.write(file, part, Readable.from([bytes.subarray(offset, offset + part.sizeBytes)]))
}

async function inParts(nodes: Storage[]): Promise<string> {
  const file = (await nodes[0]?.multipart.begin('events/7/a', finalKey)) ?? ''
  for (const index of [2, 0, 3, 1]) await writePart(nodes[index % nodes.length] as Storage, file, index)
  return file
}

async function unfinished(storage: Storage): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of storage.multipart.list('events')) found.push(key)
  return found
}

async function twoNodes(): Promise<[Storage, Storage]> {
  const environment = await bucketForTest()
  return [await openS3ForTest(environment), await openS3ForTest(environment)]
}
const commitAt = (storage: Storage) => async (stagedPath: string) => storage.commit([{ stagedPath, key: finalKey }])

test('a file in parts, in a bucket shows each node whether its version of a part is still current', {
  tags: 'nightly',
}, async () => {
  const [one, other] = await twoNodes()
  const file = await inParts([one])
  const first = await writePart(one, file, 1, Buffer.alloc(whole.length, 7))
  expect(await first.isCurrent()).toBe(true)
  const second = await writePart(other, file, 1)
  expect([await first.isCurrent(), await second.isCurrent()]).toEqual([false, true])
})

test('a file in parts, in a bucket is written by any node, and can be used again by another one after one has died', {
  tags: 'nightly',
}, async () => {
  const [one, other] = await twoNodes()
  const file = await inParts([one, other])
  await expect(one.multipart.withLocalFile(file, asWhole, () => Promise.reject(new Error('died')))).rejects.toThrow(
    'died',
  )
  expect(await listKeys(other, 'events')).toEqual([finalKey])
  await other.multipart.withLocalFile(file, asWhole, commitAt(other))
  expect((await one.readSmallFile(finalKey, whole.length)).equals(whole)).toBe(true)
  expect(await unfinished(one)).toEqual([])
})

test('a file in parts, in a bucket can be used by two nodes at once; the one that fails does not affect the other', {
  tags: 'nightly',
}, async () => {
  const [one, other] = await twoNodes()
  const file = await inParts([one, other])
  const [kept, taken] = await Promise.allSettled([
    one.multipart.withLocalFile(file, asWhole, commitAt(one)),
    other.multipart.withLocalFile(file, asWhole, async (stagedPath) => {
      await commitAt(other)(stagedPath)
      await other.remove(finalKey)
      throw new Error('the other was first')
    }),
  ])
  expect([kept.status, taken.status]).toEqual(['fulfilled', 'rejected'])
  expect((await one.readSmallFile(finalKey, whole.length)).equals(whole)).toBe(true)
})

test('a file in parts, in a bucket is missing when it is not what was sent', { tags: 'nightly' }, async () => {
  const storage = await s3StorageForTest()
  const file = await inParts([storage])
  await writePart(storage, file, 1, Buffer.alloc(whole.length, 7))
  const borrowing = storage.multipart.withLocalFile(file, asWhole, async () => 'lent')
  await expect(borrowing).rejects.toBeInstanceOf(FileMissing)
})

test('a file in parts, in a bucket rejects parts once it is complete or removed', { tags: 'nightly' }, async () => {
  const storage = await s3StorageForTest()
  const file = await inParts([storage])
  await storage.multipart.withLocalFile(file, asWhole, async () => undefined)
  await expect(writePart(storage, file, 1, Buffer.alloc(whole.length, 7))).rejects.toBeInstanceOf(FileMissing)
  expect((await storage.readSmallFile(finalKey, whole.length)).equals(whole)).toBe(true)
  await storage.multipart.discard(file)
  await expect(writePart(storage, file, 1)).rejects.toBeInstanceOf(FileMissing)
})

test('a file in parts, in a bucket is missing after the media have moved here from a disk', async () => {
  const storage = await s3StorageForTest()
  await expect(writePart(storage, 'events/7/a', 1)).rejects.toBeInstanceOf(FileMissing)
  await expect(storage.multipart.withLocalFile('events/7/a', asWhole, async () => 'lent')).rejects.toBeInstanceOf(
    FileMissing,
  )
  await storage.multipart.remove('events/7/a')
  await storage.multipart.discard('events/7/a')
})

const as = { sizeBytes: 3, contentType: 'image/jpeg', contentDisposition: 'attachment; filename="a b.jpg"' }

test('a URL of the store is returned only when it is configured', async () => {
  const storage = await s3StorageForTest()
  await storeFile(storage, 'events/7/a.jpg', Buffer.from('abc'))
  expect(await storage.downloadUrl('events/7/a.jpg', as)).toBeNull()
})

test('a URL of the store serves the file and its ranges under the right name and type for one minute, and nothing else', async () => {
  const storage = await openS3ForTest({ ...(await bucketForTest()), S3_PRESIGNED_REDIRECTS: 'on' })
  await storeFile(storage, 'events/7/a.jpg', Buffer.from('abc'))
  const url = (await storage.downloadUrl('events/7/a.jpg', as)) ?? ''
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('60')
  const part = await fetch(url, { headers: { range: 'bytes=1-2' } })
  expect([part.status, await part.text()]).toEqual([206, 'bc'])
  expect(part.headers.get('content-type')).toBe('image/jpeg')
  expect(part.headers.get('content-disposition')).toBe('attachment; filename="a b.jpg"')
  expect((await fetch(url.replace('a.jpg', 'b.jpg'))).status).toBe(403)
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
})

test('a URL of the store is not returned for a file that is missing or of another size', async () => {
  const storage = await openS3ForTest({ ...(await bucketForTest()), S3_PRESIGNED_REDIRECTS: 'on' })
  await storeFile(storage, 'events/7/a.jpg', Buffer.from('abcd'))
  for (const key of ['events/7/a.jpg', 'events/7/b.jpg']) {
    await expect(storage.downloadUrl(key, as)).rejects.toBeInstanceOf(FileMissing)
  }
})

test.each([
  ['an unknown name', { S3_BUCKET: 'proofroom-test-nobody-has-made-it' }, 'has no bucket'],
  ['a wrong secret', { S3_SECRET_ACCESS_KEY: 'wrong' }, 'denies access to this service'],
])('an unusable bucket stops the start with one line %s', async (_, wrong, words) => {
  const environment = { ...(await bucketForTest()), ...wrong, DATA_DIR: await temporaryFolder() }
  await expect(openStorage(readConfig(environment))).rejects.toMatchObject({
    lines: [expect.stringContaining(words)],
  })
})
