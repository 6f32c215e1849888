import { expect, test } from 'vitest'
import { s3StorageForTest } from '../../../tests/support/storage/s3-storage.ts'
import { listKeys, storeFile } from '../../../tests/support/storage/test-storage.ts'

test('storage in a bucket lists and removes more files than one request takes, and no others', async () => {
  // Lists 100 keys at a time instead of 1,000. Files are removed in batches of 4 × 100.
  const storage = await s3StorageForTest(100)
  const many = Array.from({ length: 430 }, (_, index) => `events/7/originals/${index}.jpg`)
  for (let start = 0; start < many.length; start += 30) {
    await Promise.all(many.slice(start, start + 30).map((key) => storeFile(storage, key, Buffer.from('a'))))
  }
  await storeFile(storage, 'events/77/originals/b.jpg', Buffer.from('b'))
  expect(await listKeys(storage, 'events/7')).toEqual([...many].sort())
  await storage.removePrefix('events/7')
  expect(await listKeys(storage, 'events')).toEqual(['events/77/originals/b.jpg'])
})
