import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { StorageFull } from './storage.ts'

type FileWriteOptions = {
  handle: FileHandle
  position: number
  /** Called with every byte once, in order, before it is written; an error that it throws ends the writing. */
  onBytes: (bytes: Buffer) => void
}

/**
 * Chunks that arrive during a write go out together in the next one. Nothing is written after the stream is closed,
 * also by an error. The caller syncs and closes the file.
 */
export class FileWriteStream extends Writable {
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
    const { handle, onBytes } = this.#options
    let length = 0
    for (const chunk of chunks) {
      onBytes(chunk)
      length += chunk.length
    }
    const { bytesWritten } = await handle.writev(chunks, this.#position)
    this.#position += bytesWritten
    // A disk that becomes full writes a part of the bytes without an error.
    if (bytesWritten < length) throw new StorageFull()
  }
}

type Callback = (error?: Error | null) => void
