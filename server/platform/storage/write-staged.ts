import { type FileHandle, open } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ContentDigest, type FileDigest } from './content-digest.ts'
import { digestThread, type FileHasher } from './digest-thread-client.ts'
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

/** How many bytes go to the digest thread together: waking it costs more than passing it some more buffers. */
const batchBytes = 2 ** 20

/**
 * Writes `source` into a staged file and hashes it. No other code may use the buffers of `source`. Removes the file if
 * the writing fails.
 */
export async function writeStaged(
  storage: StagingArea,
  source: Readable,
  reserveSpace?: ReserveSpace,
): Promise<StagedFile> {
  const path = await storage.stage()
  let handle: FileHandle | null = null
  let digest: FileDigest
  let sizeBytes: number
  try {
    handle = await open(path, 'wx')
    const file = new FileWriteStream(handle, reserveSpace)
    await pipeline(source, file)
    sizeBytes = file.sizeBytes
    digest = await file.digest()
  } catch (error) {
    await handle?.close()
    await storage.discard(path)
    throw error
  }
  const whole = handle
  const synced = storage.sync(whole).finally(() => whole.close())
  // Code that discards the file does not await the sync, whose failure must not become an unhandled rejection.
  synced.catch(() => undefined)
  return { path, sizeBytes, ...digest, synced }
}

/**
 * Writes batches of chunks on the digest thread, and a file of a single batch on this thread. Nothing is written after
 * the stream is closed, even by an error. The stream does not sync or close the file.
 */
class FileWriteStream extends Writable {
  readonly #handle: FileHandle
  readonly #reserveSpace: ReserveSpace | undefined
  readonly #smallFile = new ContentDigest()
  #hasher: FileHasher | null = null
  #batch: Buffer[] = []
  #batchBytes = 0
  #pendingWrite: Promise<unknown> = Promise.resolve()
  sizeBytes = 0

  constructor(handle: FileHandle, reserveSpace: ReserveSpace | undefined) {
    super({ highWaterMark: 2 ** 18 })
    this.#handle = handle
    this.#reserveSpace = reserveSpace
  }

  async digest(): Promise<FileDigest> {
    return this.#hasher ? this.#hasher.finish() : this.#smallFile.finish()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#batch.push(chunk)
    this.#batchBytes += chunk.length
    if (this.#batchBytes < batchBytes) return void callback()
    this.#hasher ??= digestThread.beginFile(this.#handle)
    this.#startBatch().then(() => callback(), callback)
  }

  override _final(callback: Callback): void {
    this.#startBatch()
      .then(() => this.#pendingWrite)
      .then(() => callback(), callback)
  }

  override _destroy(error: Error | null, callback: Callback): void {
    const end = () => {
      if (!this.writableFinished) this.#hasher?.abandon()
      callback(error)
    }
    this.#pendingWrite.then(end, end)
  }

  /** Resolves when the previous batch is written, so that one batch arrives while another is written. */
  async #startBatch(): Promise<void> {
    await this.#pendingWrite
    const [chunks, length, position] = [this.#batch, this.#batchBytes, this.sizeBytes]
    if (length === 0) return
    this.#batch = []
    this.#batchBytes = 0
    await this.#reserveSpace?.(length)
    if (this.destroyed) return
    this.sizeBytes += length
    this.#pendingWrite = this.#hasher ? this.#hasher.write(chunks, position) : this.#writeHere(chunks, length)
    // The next batch, or the end of the stream, rejects with the error.
    this.#pendingWrite.catch(() => undefined)
  }

  async #writeHere(chunks: readonly Buffer[], length: number): Promise<void> {
    for (const chunk of chunks) this.#smallFile.update(chunk)
    const { bytesWritten } = await this.#handle.writev(chunks, 0)
    // A disk that becomes full writes only some of the bytes, without an error.
    if (bytesWritten < length) throw new StorageFull()
  }
}

type Callback = (error?: Error | null) => void
