import { createHash, randomBytes } from 'node:crypto'
import { open as openFile, readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { keysIn, store } from '../../../tests/support/storage-files.ts'
import { type FilePart, WrongPartSize } from './parted-files.ts'
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
      const aside: string[] = []
      for await (const { key, sizeBytes } of storage.listSetAside()) aside.push(`${key} ${sizeBytes}`)
      expect(aside).toEqual(['events/7/a.jpg 1'])
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
    await expect((async () => storage.parted.remove(key))()).rejects.toThrow('plain segments')
    await expect((async () => storage.parted.lend(key, 1, async () => 0))()).rejects.toThrow('plain segments')
    const part = { index: 0, offset: 0, sizeBytes: 1 }
    const writing = async () => storage.parted.write(key, part, Readable.from([Buffer.alloc(1)]))
    await expect(writing()).rejects.toThrow('plain segments')
  })

  describe('a file that comes in parts', () => {
    const partBytes = 100_000
    const whole = randomBytes(2 * partBytes + 5000)
    const partAt = (index: number): FilePart => {
      const offset = index * partBytes
      return { index, offset, sizeBytes: Math.min(partBytes, whole.length - offset) }
    }
    const bytesOf = ({ offset, sizeBytes }: FilePart) => whole.subarray(offset, offset + sizeBytes)
    const inPieces = (bytes: Buffer) =>
      Readable.from(Array.from({ length: Math.ceil(bytes.length / 7000) }, (_, at) => piece(bytes, at * 7000)))
    // Every other one with memory of its own, as they come from the network; that is taken for good.
    const piece = (bytes: Buffer, at: number) => {
      const shared = bytes.subarray(at, at + 7000)
      return (at / 7000) % 2 === 0 ? Buffer.from(new Uint8Array(shared).buffer) : shared
    }
    const write = (storage: Storage, key: string, index: number, bytes = bytesOf(partAt(index))) =>
      storage.parted.write(key, partAt(index), inPieces(bytes))
    const read = (storage: Storage, key: string) => storage.parted.lend(key, whole.length, (path) => readFile(path))
    const keys = async (storage: Storage) => {
      const found: string[] = []
      for await (const { key } of storage.parted.list('events')) found.push(key)
      return found.sort()
    }

    test('is whole once all are written, in any order and at once; each is hashed', async () => {
      const storage = await open()
      const digests = await Promise.all([2, 0, 1].map((index) => write(storage, 'events/7/a', index)))
      expect((await read(storage, 'events/7/a')).equals(whole)).toBe(true)
      const expected = [2, 0, 1].map((index) => {
        const bytes = bytesOf(partAt(index))
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        return { sha256, crc32: crc32(bytes), sizeBytes: bytes.length }
      })
      expect(digests).toEqual(expected)
      expect(await keysIn(storage, 'events')).toEqual([])
    })

    test('has one part replaced by another copy of it', async () => {
      const storage = await open()
      for (const index of [0, 1, 2]) await write(storage, 'events/7/a', index, Buffer.alloc(partAt(index).sizeBytes, 7))
      for (const index of [2, 0, 1]) await write(storage, 'events/7/a', index)
      expect((await read(storage, 'events/7/a')).equals(whole)).toBe(true)
    })

    test.each([
      ['longer', partBytes + 1],
      ['shorter', partBytes - 1],
      ['empty', 0],
    ])('is not touched outside a part whose source is %s', async (_, length) => {
      const storage = await open()
      for (const index of [0, 1, 2]) await write(storage, 'events/7/a', index)
      const writing = write(storage, 'events/7/a', 1, Buffer.alloc(length, 7))
      await expect(writing).rejects.toMatchObject({ isTooLong: length > partBytes })
      await expect(writing).rejects.toBeInstanceOf(WrongPartSize)
      const found = await read(storage, 'events/7/a')
      for (const index of [0, 2]) {
        const { offset, sizeBytes } = partAt(index)
        expect(found.subarray(offset, offset + sizeBytes).equals(bytesOf(partAt(index)))).toBe(true)
      }
    })

    test('whose source breaks off can be written at once by another', async () => {
      const storage = await open()
      for (const index of [0, 2]) await write(storage, 'events/7/a', index)
      async function* broken() {
        yield Buffer.alloc(partBytes / 2, 7)
        throw new Error('the client went away')
      }
      const writing = storage.parted.write('events/7/a', partAt(1), Readable.from(broken()))
      await expect(writing).rejects.toBeInstanceOf(WrongPartSize)
      await write(storage, 'events/7/a', 1)
      expect((await read(storage, 'events/7/a')).equals(whole)).toBe(true)
      const gone = inPieces(whole).destroy()
      const late = storage.parted.write('events/7/a', partAt(1), gone)
      await expect(late).rejects.toBeInstanceOf(WrongPartSize)
    })

    test('is committed like a staged file, and can be lent again until it is removed', async () => {
      const storage = await open()
      for (const index of [0, 1, 2]) await write(storage, 'events/7/a', index)
      const commitAs = (key: string) =>
        storage.parted.lend('events/7/a', whole.length, (stagedPath) => storage.commit([{ stagedPath, key }]))
      await commitAs('events/7/originals/first.jpg')
      await storage.remove('events/7/originals/first.jpg')
      await commitAs('events/7/originals/second.jpg')
      await storage.parted.remove('events/7/a')
      expect((await storage.readWhole('events/7/originals/second.jpg', whole.length)).equals(whole)).toBe(true)
      await expect(read(storage, 'events/7/a')).rejects.toBeInstanceOf(FileMissing)
    })

    test('stays when whoever it was lent to fails', async () => {
      const storage = await open()
      for (const index of [0, 1, 2]) await write(storage, 'events/7/a', index)
      const failing = storage.parted.lend('events/7/a', whole.length, () => Promise.reject(new Error('refused')))
      await expect(failing).rejects.toThrow('refused')
      expect((await read(storage, 'events/7/a')).equals(whole)).toBe(true)
    })

    test('is not lent while it is not of its size', async () => {
      const storage = await open()
      await write(storage, 'events/7/a', 0)
      await expect(read(storage, 'events/7/a')).rejects.toBeInstanceOf(FileMissing)
    })

    test('is listed, and is removed alone or with all of its prefix', async () => {
      const storage = await open()
      for (const key of ['events/7/a', 'events/7/b', 'events/8/c']) await write(storage, key, 0)
      expect(await keys(storage)).toEqual(['events/7/a', 'events/7/b', 'events/8/c'])
      await storage.parted.remove('events/7/a')
      await storage.parted.remove('events/7/a')
      expect(await keys(storage)).toEqual(['events/7/b', 'events/8/c'])
      await storage.removePrefix('events/7')
      expect(await keys(storage)).toEqual(['events/8/c'])
      await write(storage, 'events/7/d', 0)
      expect(await keys(storage)).toEqual(['events/7/d', 'events/8/c'])
    })
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
