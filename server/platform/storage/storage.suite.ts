import { randomBytes } from 'node:crypto'
import { open as openFile, readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { keysIn, store } from '../../../tests/support/storage-files.ts'
import { FileMissing, type Storage, StorageFull } from './storage.ts'

const climbingKeys = ['..', '../outside', 'events/../../outside', 'events/./a', '.hidden', '/etc/passwd']
const oddKeys = ['', 'events//a', 'events/', 'events/a b', 'a\0b', 'a\nb', 'events\\a', 'events/ä', '-rf']

/** What every storage promises. Each test opens a storage of its own, empty and gone when the test ends. */
export function storageSuite(open: () => Promise<Storage>): void {
  describe('a file', () => {
    test('stands under its key, byte for byte, once it is committed and not before', async () => {
      const storage = await open()
      const bytes = randomBytes(300_000)
      const stagedPath = await storage.stage()
      const handle = await openFile(stagedPath, 'wx')
      await handle.writeFile(bytes)
      await storage.sync(handle)
      await handle.close()
      expect(await keysIn(storage, 'events')).toEqual([])
      await storage.commit([{ stagedPath, key: 'events/7/originals/a.jpg' }])
      expect(await storage.readWhole('events/7/originals/a.jpg', bytes.length)).toEqual(bytes)
      expect(await buffer(await storage.openStream('events/7/originals/a.jpg'))).toEqual(bytes)
    })

    test('is committed together with others, also into one new folder by many at once', async () => {
      const storage = await open()
      const keys = Array.from({ length: 30 }, (_, index) => `events/${index % 3}/originals/${index}.jpg`)
      await Promise.all(keys.map((key) => store(storage, key, Buffer.from(key))))
      for (const key of keys) expect((await storage.readWhole(key, key.length)).toString()).toBe(key)
    })

    test('may be empty', async () => {
      const storage = await open()
      await store(storage, 'events/7/empty', Buffer.alloc(0))
      expect(await buffer(await storage.openStream('events/7/empty'))).toHaveLength(0)
    })

    test.each([
      [0, 0],
      [0, 299_999],
      [100_000, 100_009],
      [299_999, 299_999],
    ])('is read in part, from byte %i to byte %i inclusive', async (start, end) => {
      const storage = await open()
      const bytes = randomBytes(300_000)
      await store(storage, 'events/7/a.jpg', bytes)
      const part = await buffer(await storage.openStream('events/7/a.jpg', { start, end }))
      expect(part.equals(bytes.subarray(start, end + 1))).toBe(true)

      const reader = await storage.openReader('events/7/a.jpg', { start, end })
      const pieces: Buffer[] = []
      for (let length = -1; length !== 0; ) {
        const piece = Buffer.alloc(70_000)
        length = await reader.read(piece)
        pieces.push(piece.subarray(0, length))
      }
      expect(Buffer.concat(pieces).equals(bytes.subarray(start, end + 1))).toBe(true)
      await reader.close()
    })

    test('ends the reading where it ends, though the range goes on', async () => {
      const storage = await open()
      await store(storage, 'events/7/a.jpg', Buffer.from('abc'))
      const reader = await storage.openReader('events/7/a.jpg', { start: 1, end: 9 })
      expect([await reader.read(Buffer.alloc(100)), await reader.read(Buffer.alloc(100))]).toEqual([2, 0])
      await reader.close()
    })

    test('is closed also while it is being read, and twice', async () => {
      const storage = await open()
      await store(storage, 'events/7/a.jpg', randomBytes(300_000))
      const reader = await storage.openReader('events/7/a.jpg', { start: 0, end: 299_999 })
      const reading = reader.read(Buffer.alloc(100_000)).catch(() => 0)
      await Promise.all([reader.close(), reader.close(), reading])
      await expect(reader.read(Buffer.alloc(10))).rejects.toThrow()
    })

    test('that is not there is told before a byte is sent', async () => {
      const storage = await open()
      await store(storage, 'events/7/a.jpg', Buffer.from('a'))
      for (const key of ['events/7/b.jpg', 'events/8/a.jpg', 'events/7/a.jpg/b.jpg']) {
        await expect(storage.readWhole(key, 1)).rejects.toBeInstanceOf(FileMissing)
        await expect(storage.openStream(key)).rejects.toBeInstanceOf(FileMissing)
        await expect(storage.openReader(key, { start: 0, end: 0 })).rejects.toBeInstanceOf(FileMissing)
      }
    })

    test('of another size than the one asked for counts as missing', async () => {
      const storage = await open()
      await store(storage, 'events/7/a.jpg', Buffer.from('abc'))
      expect((await buffer(await storage.openStream('events/7/a.jpg', undefined, 3))).toString()).toBe('abc')
      expect((await buffer(await storage.openStream('events/7/a.jpg', { start: 1, end: 1 }, 3))).toString()).toBe('b')
      for (const sizeBytes of [0, 2, 4]) {
        await expect(storage.openStream('events/7/a.jpg', undefined, sizeBytes)).rejects.toBeInstanceOf(FileMissing)
      }
    })

    test('is lent as a path to those who read files, and stays', async () => {
      const storage = await open()
      await store(storage, 'events/7/a.jpg', Buffer.from('abc'))
      expect(await storage.withLocalFile('events/7/a.jpg', (path) => readFile(path, 'utf8'))).toBe('abc')
      const failing = storage.withLocalFile('events/7/a.jpg', () => Promise.reject(new Error('the reader failed')))
      await expect(failing).rejects.toThrow('the reader failed')
      expect((await storage.readWhole('events/7/a.jpg', 3)).toString()).toBe('abc')
      const missing = storage.withLocalFile('events/7/b.jpg', () => Promise.reject(new Error('it was lent')))
      await expect(missing).rejects.toBeInstanceOf(FileMissing)
    })

    test('is removed, also when it is gone already', async () => {
      const storage = await open()
      await store(storage, 'events/7/a.jpg', Buffer.from('a'))
      await storage.remove('events/7/a.jpg')
      await storage.remove('events/7/a.jpg')
      await expect(storage.readWhole('events/7/a.jpg', 1)).rejects.toBeInstanceOf(FileMissing)
    })

    test('that is discarded before it was committed leaves nothing', async () => {
      const storage = await open()
      const stagedPath = await storage.stage()
      await writeFile(stagedPath, 'a')
      await storage.discard(stagedPath)
      await storage.discard(stagedPath)
      await expect(storage.commit([{ stagedPath, key: 'events/7/a.jpg' }])).rejects.toThrow()
      expect(await keysIn(storage, 'events')).toEqual([])
    })
  })

  test('every staged path is a new one', async () => {
    const storage = await open()
    const paths = await Promise.all(Array.from({ length: 50 }, () => storage.stage()))
    expect(new Set(paths).size).toBe(50)
  })

  test('a list tells key, size and age of all files below a prefix, and of no others', async () => {
    const storage = await open()
    await store(storage, 'events/7/originals/a.jpg', Buffer.from('abc'))
    await store(storage, 'events/7/thumbnails/a.jpg', Buffer.from('a'))
    await store(storage, 'events/77/originals/b.jpg', Buffer.from('b'))
    expect(await keysIn(storage, 'events')).toHaveLength(3)
    expect(await keysIn(storage, 'events/7')).toEqual(['events/7/originals/a.jpg', 'events/7/thumbnails/a.jpg'])
    expect(await keysIn(storage, 'events/8')).toEqual([])
    for await (const file of storage.list('events/7/originals')) {
      expect(file.sizeBytes).toBe(3)
      expect(Math.abs(Date.now() - file.modifiedAt)).toBeLessThan(60_000)
    }
  })

  describe('what is set aside', () => {
    test('is no longer served, is kept for its time and counted', async () => {
      const storage = await open()
      await store(storage, 'events/7/a.jpg', Buffer.from('a'))
      await store(storage, 'events/7/b.jpg', Buffer.from('b'))
      await storage.setAside('events/7/a.jpg')
      await expect(storage.readWhole('events/7/a.jpg', 1)).rejects.toBeInstanceOf(FileMissing)
      expect(await keysIn(storage, 'events')).toEqual(['events/7/b.jpg'])
      expect(await storage.pruneSetAside(30)).toBe(1)
    })

    test('may have gone before', async () => {
      const storage = await open()
      await storage.setAside('events/7/a.jpg')
      expect(await storage.pruneSetAside(30)).toBe(0)
    })
  })

  test.each([...climbingKeys, ...oddKeys])('the key %j is refused', async (key) => {
    const storage = await open()
    const stagedPath = await storage.stage()
    await writeFile(stagedPath, 'a')
    await expect(storage.commit([{ stagedPath, key }])).rejects.toThrow('plain segments')
    await expect((async () => storage.readWhole(key, 1))()).rejects.toThrow('plain segments')
    await expect((async () => storage.openStream(key))()).rejects.toThrow('plain segments')
    await expect((async () => storage.openReader(key, { start: 0, end: 0 }))()).rejects.toThrow('plain segments')
    await expect((async () => storage.withLocalFile(key, async () => 0))()).rejects.toThrow('plain segments')
    await expect((async () => storage.remove(key))()).rejects.toThrow('plain segments')
    await expect((async () => storage.setAside(key))()).rejects.toThrow('plain segments')
  })

  test('there is space for a photo, and none for what no disk holds', async () => {
    const storage = await open()
    await storage.ensureSpaceFor(1000)
    await expect(storage.ensureSpaceFor(2 ** 60)).rejects.toBeInstanceOf(StorageFull)
  })

  test('there is space for the first photos that come at once', async () => {
    const storage = await open()
    await Promise.all([1, 2, 3].map(() => storage.ensureSpaceFor(1000)))
  })

  test('it can be reached', async () => {
    const storage = await open()
    await storage.check()
  })
}
