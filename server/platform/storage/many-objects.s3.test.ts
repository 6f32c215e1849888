import { describe, expect, test } from 'vitest'
import { s3StorageForTest } from '../../../tests/support/s3-storage.ts'
import { keysIn, store } from '../../../tests/support/storage-files.ts'

describe('storage in a bucket', () => {
  test('lists and removes thousands of files, and none beside them', async () => {
    const storage = await s3StorageForTest()
    const many = Array.from({ length: 1030 }, (_, index) => `events/7/originals/${index}.jpg`)
    for (let start = 0; start < many.length; start += 30) {
      await Promise.all(many.slice(start, start + 30).map((key) => store(storage, key, Buffer.from('a'))))
    }
    await store(storage, 'events/77/originals/b.jpg', Buffer.from('b'))
    expect(await keysIn(storage, 'events/7')).toEqual([...many].sort())
    await storage.removePrefix('events/7')
    expect(await keysIn(storage, 'events')).toEqual(['events/77/originals/b.jpg'])
  }, 120_000)
})
