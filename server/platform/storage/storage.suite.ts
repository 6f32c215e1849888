import { createHash, randomBytes } from 'node:crypto'
import { open as openFile, readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { describe, expect, type TestOptions, test } from 'vitest'
import { listKeys, storeFile } from '../../../tests/support/storage/test-storage.ts'
import { ContentDigest } from './content-digest.ts'
import { FileMissing, type FilePart, type Storage, StorageFull, WrongPartSize } from './storage.ts'

const escapingKeys = ['..', '../outside', 'events/../../outside', 'events/./a', '.hidden', '/etc/passwd']
const invalidKeys = ['', 'events//a', 'events/', 'events/a b', 'a\0b', 'a\nb', 'events\\a', 'events/ä', '-rf']

function hashOf(bytes: Buffer): string {
  const digest = new ContentDigest()
  digest.update(bytes)
  return digest.finish().contentHash
}

type SuiteOptions = {
  /** A part size that the storage accepts. */
  partBytes: number
  /** Options of the tests of files in parts that are damaged, replaced or used again. */
  forMultipartDetails?: TestOptions
}

/** The tests of every storage; each test opens an empty one. */
export function storageSuite(
  open: () => Promise<Storage>,
  { partBytes, forMultipartDetails = {} }: SuiteOptions,
): void {
  describe('a file', () => {
    test('exists under its key, byte for byte, only after the commit', async () => {
      const storage = await open()
      const bytes = randomBytes(300_000)
      const stagedPath = await storage.stage()
      const handle = await openFile(stagedPath, 'wx')
      await handle.writeFile(bytes)
      await storage.sync(handle)
      await handle.close()
      expect(await listKeys(storage, 'events')).toEqual([])
      await storage.commit([{ stagedPath, key: 'events/7/originals/a.jpg' }])
      expect(await storage.readSmallFile('events/7/originals/a.jpg', bytes.length)).toEqual(bytes)
      expect(await buffer(await storage.openStream('events/7/originals/a.jpg'))).toEqual(bytes)
    })

    test('is committed together with others, also concurrently into one new folder', async () => {
      const storage = await open()
      const keys = Array.from({ length: 30 }, (_, index) => `events/${index % 3}/originals/${index}.jpg`)
      await Promise.all(keys.map((key) => storeFile(storage, key, Buffer.from(key))))
      for (const key of keys) expect((await storage.readSmallFile(key, key.length)).toString()).toBe(key)
      await storeFile(storage, 'events/7/empty', Buffer.alloc(0))
      expect(await buffer(await storage.openStream('events/7/empty'))).toHaveLength(0)
    })

    test('is read in part, and ends where it ends', async () => {
      const storage = await open()
      const bytes = randomBytes(300_000)
      await storeFile(storage, 'events/7/a.jpg', bytes)
      for (const [start, end] of [
        [0, 0],
        [0, 299_999],
        [100_000, 100_009],
        [299_999, 299_999],
        [299_998, 300_009],
      ] as const) {
        const expected = bytes.subarray(start, end + 1)
        if (end < bytes.length) {
          const part = await buffer(await storage.openStream('events/7/a.jpg', { start, end }))
          expect(part.equals(expected)).toBe(true)
        }
        const reader = await storage.openReader('events/7/a.jpg', { start, end })
        const pieces: Buffer[] = []
        for (let length = -1; length !== 0; ) {
          const piece = Buffer.alloc(70_000)
          length = await reader.read(piece)
          pieces.push(piece.subarray(0, length))
        }
        expect(Buffer.concat(pieces).equals(expected)).toBe(true)
        await reader.close()
      }
    })

    test('can be closed during a read, and twice', async () => {
      const storage = await open()
      await storeFile(storage, 'events/7/a.jpg', randomBytes(300_000))
      const reader = await storage.openReader('events/7/a.jpg', { start: 0, end: 299_999 })
      // The read either ends before the close or fails.
      const reading = reader.read(Buffer.alloc(100_000)).catch(() => 0)
      await Promise.all([reader.close(), reader.close(), reading])
      await expect(reader.read(Buffer.alloc(10))).rejects.toThrow()
    })

    test('that is missing rejects before a byte is sent', async () => {
      const storage = await open()
      await storeFile(storage, 'events/7/a.jpg', Buffer.from('a'))
      for (const key of ['events/7/b.jpg', 'events/8/a.jpg', 'events/7/a.jpg/b.jpg']) {
        await expect(storage.readSmallFile(key, 1)).rejects.toBeInstanceOf(FileMissing)
        await expect(storage.openStream(key)).rejects.toBeInstanceOf(FileMissing)
        await expect(storage.openReader(key, { start: 0, end: 0 })).rejects.toBeInstanceOf(FileMissing)
      }
    })

    test('of another size than the requested one counts as missing', async () => {
      const storage = await open()
      await storeFile(storage, 'events/7/a.jpg', Buffer.from('abc'))
      expect((await buffer(await storage.openStream('events/7/a.jpg', undefined, 3))).toString()).toBe('abc')
      expect((await buffer(await storage.openStream('events/7/a.jpg', { start: 1, end: 1 }, 3))).toString()).toBe('b')
      for (const sizeBytes of [0, 2, 4]) {
        await expect(storage.openStream('events/7/a.jpg', undefined, sizeBytes)).rejects.toBeInstanceOf(FileMissing)
      }
    })

    test('has a local path during the use, and stays until it is removed', async () => {
      const storage = await open()
      await storeFile(storage, 'events/7/a.jpg', Buffer.from('abc'))
      expect(await storage.withLocalFile('events/7/a.jpg', (path) => readFile(path, 'utf8'))).toBe('abc')
      const failing = storage.withLocalFile('events/7/a.jpg', () => Promise.reject(new Error('the reader failed')))
      await expect(failing).rejects.toThrow('the reader failed')
      expect((await storage.readSmallFile('events/7/a.jpg', 3)).toString()).toBe('abc')
      const missing = storage.withLocalFile('events/7/b.jpg', () => Promise.reject(new Error('it was lent')))
      await expect(missing).rejects.toBeInstanceOf(FileMissing)
      await storage.remove('events/7/a.jpg')
      await storage.remove('events/7/a.jpg')
      await expect(storage.readSmallFile('events/7/a.jpg', 1)).rejects.toBeInstanceOf(FileMissing)
    })

    test('that is discarded before the commit is gone', async () => {
      const storage = await open()
      const stagedPath = await storage.stage()
      await writeFile(stagedPath, 'a')
      await storage.discard(stagedPath)
      await storage.discard(stagedPath)
      await expect(storage.commit([{ stagedPath, key: 'events/7/a.jpg' }])).rejects.toThrow()
      expect(await listKeys(storage, 'events')).toEqual([])
    })
  })

  test('every staged path is a new one', async () => {
    const storage = await open()
    const paths = await Promise.all(Array.from({ length: 50 }, () => storage.stage()))
    expect(new Set(paths).size).toBe(50)
  })

  test('a list contains key, size and age of all files below a prefix, and of no others', async () => {
    const storage = await open()
    await storeFile(storage, 'events/7/originals/a.jpg', Buffer.from('abc'))
    await storeFile(storage, 'events/7/thumbnails/a.jpg', Buffer.from('a'))
    await storeFile(storage, 'events/77/originals/b.jpg', Buffer.from('b'))
    expect(await listKeys(storage, 'events')).toHaveLength(3)
    expect(await listKeys(storage, 'events/7')).toEqual(['events/7/originals/a.jpg', 'events/7/thumbnails/a.jpg'])
    expect(await listKeys(storage, 'events/8')).toEqual([])
    for await (const file of storage.list('events/7/originals')) {
      expect(file.sizeBytes).toBe(3)
      expect(Math.abs(Date.now() - file.modifiedAt)).toBeLessThan(60_000)
    }
  })

  describe('a quarantined file', () => {
    test('is not served, is stored for its time and counted, or restored unchanged', async () => {
      const storage = await open()
      for (const name of ['a', 'b', 'c']) await storeFile(storage, `events/7/${name}.jpg`, Buffer.from(name))
      for (const name of ['a', 'b', 'missing']) await storage.quarantine(`events/7/${name}.jpg`)
      await expect(storage.readSmallFile('events/7/a.jpg', 1)).rejects.toBeInstanceOf(FileMissing)
      expect(await listKeys(storage, 'events')).toEqual(['events/7/c.jpg'])
      await storage.restoreQuarantined('events/7/b.jpg')
      expect((await storage.readSmallFile('events/7/b.jpg', 1)).toString()).toBe('b')
      await expect(storage.restoreQuarantined('events/7/b.jpg')).rejects.toBeInstanceOf(FileMissing)
      const aside: string[] = []
      for await (const { key, sizeBytes } of storage.listQuarantined()) aside.push(`${key} ${sizeBytes}`)
      expect(aside).toEqual(['events/7/a.jpg 1'])
      expect(await storage.pruneQuarantine(30)).toBe(1)
    })
  })

  test('keys that are no plain path are rejected', async () => {
    const storage = await open()
    const stagedPath = await storage.stage()
    await writeFile(stagedPath, 'a')
    const part = { index: 0, offset: 0, sizeBytes: 1 }
    for (const key of [...escapingKeys, ...invalidKeys]) {
      const uses: Array<() => unknown> = [
        () => storage.commit([{ stagedPath, key }]),
        () => storage.readSmallFile(key, 1),
        () => storage.openStream(key),
        () => storage.openReader(key, { start: 0, end: 0 }),
        () => storage.withLocalFile(key, async () => 0),
        () => storage.remove(key),
        () => storage.quarantine(key),
        () => storage.restoreQuarantined(key),
        () => storage.multipart.begin(key, key),
        () => storage.multipart.remove(key),
        () => storage.multipart.discard(key),
        () => storage.multipart.withLocalFile(key, { sizeBytes: 1 }, async () => 0),
        () => storage.multipart.write(key, part, Readable.from([Buffer.alloc(1)])),
      ]
      for (const use of uses) await expect((async () => use())(), `${key}: ${use}`).rejects.toThrow('plain segments')
    }
  })

  describe('a file in parts', () => {
    const pieceBytes = 7000
    const whole = randomBytes(2 * partBytes + 5000)
    const asWhole = { sizeBytes: whole.length, contentHash: hashOf(whole) }
    const partAt = (index: number): FilePart => {
      const offset = index * partBytes
      return { index, offset, sizeBytes: Math.min(partBytes, whole.length - offset) }
    }
    const bytesOf = ({ offset, sizeBytes }: FilePart) => whole.subarray(offset, offset + sizeBytes)
    const inPieces = (bytes: Buffer) =>
      Readable.from(
        Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) => piece(bytes, at * pieceBytes)),
      )
    // Every second piece has its own memory, like pieces from the network. The storage takes ownership of that memory.
    const piece = (bytes: Buffer, at: number) => {
      const shared = bytes.subarray(at, at + pieceBytes)
      return (at / pieceBytes) % 2 === 0 ? Buffer.from(new Uint8Array(shared).buffer) : shared
    }
    const begin = (storage: Storage, name = 'events/7/a') => storage.multipart.begin(name, getFinalKey(name))
    const getFinalKey = (name: string) => `${name.replace(/\/\w+$/, '')}/originals/${name.at(-1)}.jpg`
    const write = (storage: Storage, handle: string, index: number, bytes = bytesOf(partAt(index))) =>
      storage.multipart.write(handle, partAt(index), inPieces(bytes))
    const read = (storage: Storage, handle: string) =>
      storage.multipart.withLocalFile(handle, { sizeBytes: whole.length }, (path) => readFile(path))
    const handles = async (storage: Storage) => {
      const found: string[] = []
      for await (const { key } of storage.multipart.list('events')) found.push(key)
      return found.sort()
    }

    test('is complete after all parts, written concurrently in any order, and each part is hashed', async () => {
      const storage = await open()
      const file = await begin(storage)
      const written = await Promise.all([2, 0, 1].map((index) => write(storage, file, index)))
      expect(await listKeys(storage, 'events')).toEqual([])
      expect((await read(storage, file)).equals(whole)).toBe(true)
      const expected = [2, 0, 1].map((index) => {
        const bytes = bytesOf(partAt(index))
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        return { sha256, crc32: crc32(bytes), sizeBytes: bytes.length }
      })
      expect(written.map(({ digest }) => digest)).toEqual(expected)
      expect(await Promise.all(written.map(({ isCurrent }) => isCurrent()))).toEqual([true, true, true])
    })

    test('can have a part replaced', forMultipartDetails, async () => {
      const storage = await open()
      const file = await begin(storage)
      for (const index of [0, 1, 2]) await write(storage, file, index, Buffer.alloc(partAt(index).sizeBytes, 7))
      for (const index of [2, 0, 1]) await write(storage, file, index)
      expect((await read(storage, file)).equals(whole)).toBe(true)
    })

    test.each([
      ['longer', partBytes + 1],
      ['shorter', partBytes - 1],
      ['empty', 0],
    ])('is not changed outside a part whose source is %s', forMultipartDetails, async (_, length) => {
      const storage = await open()
      const file = await begin(storage)
      for (const index of [0, 1, 2]) await write(storage, file, index)
      const writing = write(storage, file, 1, Buffer.alloc(length, 7))
      await expect(writing).rejects.toMatchObject({ isTooLong: length > partBytes })
      await expect(writing).rejects.toBeInstanceOf(WrongPartSize)
      const found = await read(storage, file)
      for (const index of [0, 2]) {
        const { offset, sizeBytes } = partAt(index)
        expect(found.subarray(offset, offset + sizeBytes).equals(bytesOf(partAt(index)))).toBe(true)
      }
    })

    test('whose source fails can be written at once from another one', forMultipartDetails, async () => {
      const storage = await open()
      const file = await begin(storage)
      for (const index of [0, 2]) await write(storage, file, index)
      async function* broken() {
        yield Buffer.alloc(partBytes / 2, 7)
        throw new Error('the client went away')
      }
      const writing = storage.multipart.write(file, partAt(1), Readable.from(broken()))
      await expect(writing).rejects.toBeInstanceOf(WrongPartSize)
      const gone = inPieces(whole).destroy()
      const late = storage.multipart.write(file, partAt(1), gone)
      await expect(late).rejects.toBeInstanceOf(WrongPartSize)
      await write(storage, file, 1)
      expect((await read(storage, file)).equals(whole)).toBe(true)
    })

    test('is committed like a staged file, and can be used again until it is discarded', async () => {
      const storage = await open()
      const file = await begin(storage)
      for (const index of [0, 1, 2]) await write(storage, file, index)
      const commitAs = (key: string) =>
        storage.multipart.withLocalFile(file, asWhole, (stagedPath) => storage.commit([{ stagedPath, key }]))
      await commitAs('events/7/originals/first.jpg')
      await storage.remove('events/7/originals/first.jpg')
      await commitAs('events/7/originals/second.jpg')
      await storage.multipart.discard(file)
      await storage.multipart.remove(file)
      expect((await storage.readSmallFile('events/7/originals/second.jpg', whole.length)).equals(whole)).toBe(true)
      expect(await listKeys(storage, 'events')).toEqual(['events/7/originals/second.jpg'])
      await expect(read(storage, file)).rejects.toBeInstanceOf(FileMissing)
    })

    test('stays when its use fails, also after a commit that is rolled back', forMultipartDetails, async () => {
      const storage = await open()
      const file = await begin(storage)
      for (const index of [0, 1, 2]) await write(storage, file, index)
      const failing = storage.multipart.withLocalFile(file, asWhole, async (stagedPath, finalKey) => {
        const keys = [finalKey ?? getFinalKey('events/7/a'), 'events/7/originals/other.jpg']
        for (const key of keys) {
          // On a disk the first commit has moved the file, so the second one fails.
          await storage.commit([{ stagedPath, key }]).catch(() => undefined)
          await storage.remove(key)
        }
        throw new Error('refused')
      })
      await expect(failing).rejects.toThrow('refused')
      expect((await read(storage, file)).equals(whole)).toBe(true)
    })

    test('is missing while it does not have its size', async () => {
      const storage = await open()
      const file = await begin(storage)
      await write(storage, file, 0)
      await expect(read(storage, file)).rejects.toBeInstanceOf(FileMissing)
    })

    test('is listed, and is removed alone or with its prefix', async () => {
      const storage = await open()
      const [a, b, c] = [
        await begin(storage, 'events/7/a'),
        await begin(storage, 'events/7/b'),
        await begin(storage, 'events/8/c'),
      ]
      for (const file of [a, b, c]) await write(storage, file, 0)
      expect(await handles(storage)).toEqual([a, b, c])
      expect((await storage.listFolders('events')).sort()).toEqual(['7', '8'])
      for await (const { sizeBytes, modifiedAt } of storage.multipart.list('events')) {
        expect([partBytes, whole.length]).toContain(sizeBytes)
        expect(Math.abs(Date.now() - modifiedAt)).toBeLessThan(60_000)
      }
      await storage.multipart.remove(a)
      await storage.multipart.remove(a)
      expect(await handles(storage)).toEqual([b, c])
      await storage.removePrefix('events/7')
      expect(await handles(storage)).toEqual([c])
    })
  })

  test('the check succeeds, and there is space for photos, but not for more than any disk has', async () => {
    const storage = await open()
    await storage.check()
    await Promise.all([1, 2, 3].map(() => storage.ensureSpaceFor(1000)))
    await expect(storage.ensureSpaceFor(2 ** 60)).rejects.toBeInstanceOf(StorageFull)
  })
}
