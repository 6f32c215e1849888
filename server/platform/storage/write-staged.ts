import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ContentDigest } from './content-digest.ts'
import { type Storage, StorageFull } from './storage.ts'

export type StagedFile = {
  path: string
  sizeBytes: number
  contentHash: string
  crc32: number
  /** Its first 64 KB: they tell what most files are without opening them again. */
  head: Buffer
  /** Resolves when the file is durable; begun with its last byte, so that it can be judged meanwhile. */
  synced: Promise<void>
}

const headBytes = 65_536

/** Writes a stream to a fresh staged file, once, hashing as the bytes pass. Leaves nothing behind when it throws. */
export async function writeStaged(storage: Storage, source: Readable): Promise<StagedFile> {
  const path = await storage.stage()
  const digest = new ContentDigest()
  const writing = new StagedWriting(path, digest)
  try {
    await pipeline(source, writing)
  } catch (error) {
    await storage.discard(path)
    throw error
  }
  const synced = storage.sync(writing.handle).finally(() => writing.handle.close())
  // Whoever throws the file away does not wait for it.
  synced.catch(() => undefined)
  return { path, sizeBytes: digest.sizeBytes, ...digest.finish(), head: writing.head, synced }
}

/** Chunks that arrive while one is being written go out together in the next write. A whole file stays open to be synced. */
class StagedWriting extends Writable {
  readonly #path: string
  readonly #digest: ContentDigest
  #handle: FileHandle | null = null
  #isWhole = false
  head: Buffer = Buffer.alloc(0)

  constructor(path: string, digest: ContentDigest) {
    super({ highWaterMark: 2 ** 20 })
    this.#path = path
    this.#digest = digest
  }

  get handle(): FileHandle {
    if (!this.#handle) throw new Error('The staged file is not open')
    return this.#handle
  }

  override _construct(callback: (error?: Error | null) => void): void {
    open(this.#path, 'wx').then((opened) => {
      this.#handle = opened
      callback()
    }, callback)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#append([chunk]).then(() => callback(), callback)
  }

  override _writev(items: Array<{ chunk: Buffer }>, callback: (error?: Error | null) => void): void {
    this.#append(items.map(({ chunk }) => chunk)).then(() => callback(), callback)
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#isWhole = true
    callback()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const closed = this.#isWhole ? undefined : this.#handle?.close()
    Promise.resolve(closed).then(
      () => callback(error),
      (closing) => callback(error ?? closing),
    )
  }

  async #append(chunks: Buffer[]): Promise<void> {
    const sizeBefore = this.#digest.sizeBytes
    for (const chunk of chunks) this.#digest.update(chunk)
    if (sizeBefore < headBytes) this.head = Buffer.concat([this.head, ...chunks]).subarray(0, headBytes)
    const { bytesWritten } = await this.handle.writev(chunks)
    // A disk that becomes full takes a part of its last write without an error.
    if (sizeBefore + bytesWritten < this.#digest.sizeBytes) throw new StorageFull()
  }
}
