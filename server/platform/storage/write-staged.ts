import { type FileHandle, open } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ContentDigest } from './content-digest.ts'
import { type ReserveSpace, type Storage, StorageFull } from './storage.ts'

export type StagedFile = {
  path: string
  sizeBytes: number
  contentHash: string
  crc32: number
  /** Resolves after `Storage.sync`, which runs in the background, so that the file can be checked at the same time. */
  synced: Promise<void>
}

export type StagingArea = Pick<Storage, 'stage' | 'discard' | 'sync'>

/** Writes `source` into a staged file and hashes it. Removes the file if the writing fails. */
export async function writeStaged(
  storage: StagingArea,
  source: Readable,
  reserveSpace?: ReserveSpace,
): Promise<StagedFile> {
  const path = await storage.stage()
  const digest = new ContentDigest()
  let handle: FileHandle | null = null
  try {
    handle = await open(path, 'wx')
    const onBytes = (bytes: Buffer) => digest.update(bytes)
    await pipeline(source, new FileWriteStream({ handle, position: 0, onBytes, reserveSpace }))
  } catch (error) {
    await handle?.close()
    await storage.discard(path)
    throw error
  }
  const whole = handle
  const synced = storage.sync(whole).finally(() => whole.close())
  // Code that discards the file does not await the sync, whose failure must not become an unhandled rejection.
  synced.catch(() => undefined)
  const { sizeBytes } = digest
  return { path, sizeBytes, ...digest.finish(), synced }
}

type FileWriteOptions = {
  handle: FileHandle
  position: number
  /** Called with every byte once, in order, before it is written; an error that `onBytes` throws ends the writing. */
  onBytes: (bytes: Buffer) => void
  reserveSpace: ReserveSpace | undefined
}

/**
 * Chunks that arrive during a write go out together in the next write. Nothing is written after the stream is closed,
 * even by an error. The stream neither syncs nor closes the file.
 */
class FileWriteStream extends Writable {
  readonly #options: FileWriteOptions
  #position: number
  #pendingWrite: Promise<unknown> = Promise.resolve()

  constructor(options: FileWriteOptions) {
    super({ highWaterMark: 2 ** 20 })
    this.#options = options
    this.#position = options.position
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#write([chunk], callback)
  }

  override _writev(items: Array<{ chunk: Buffer }>, callback: Callback): void {
    this.#write(
      items.map(({ chunk }) => chunk),
      callback,
    )
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.#pendingWrite.then(() => callback(error))
  }

  #write(chunks: Buffer[], callback: Callback): void {
    this.#pendingWrite = this.#append(chunks).then(() => callback(), callback)
  }

  async #append(chunks: Buffer[]): Promise<void> {
    const { handle, onBytes, reserveSpace } = this.#options
    let length = 0
    for (const chunk of chunks) {
      onBytes(chunk)
      length += chunk.length
    }
    await reserveSpace?.(length)
    const { bytesWritten } = await handle.writev(chunks, this.#position)
    this.#position += bytesWritten
    // A disk that becomes full writes only some of the bytes, without an error.
    if (bytesWritten < length) throw new StorageFull()
  }
}

type Callback = (error?: Error | null) => void
