import { Readable } from 'node:stream'
import { buffer as readWhole } from 'node:stream/consumers'
import yauzl from 'yauzl'
import type { ByteRange } from '../platform/storage/storage.ts'

/** A file that can be read in ranges, each with a request. */
export type RemoteFile = { sizeBytes: number; openRange: (range: ByteRange) => Promise<Readable> }

const blockBytes = 2 ** 20

/** Reads the many small records of a ZIP from blocks of 1 MiB, and the content of an entry with one request. */
export class RemoteReader extends yauzl.RandomAccessReader {
  readonly #file: RemoteFile
  #block: { start: number; bytes: Promise<Buffer> } | null = null

  constructor(file: RemoteFile) {
    super()
    this.#file = file
  }

  /** `end` is exclusive. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#readRange({ start, end: end - 1 }), { objectMode: false })
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#copy(target.subarray(offset, offset + length), position).then(() => callback(null), callback)
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null)
  }

  async *#readRange(range: ByteRange): AsyncGenerator<Buffer> {
    yield* await this.#file.openRange(range)
  }

  async #copy(target: Buffer, position: number): Promise<void> {
    for (let done = 0; done < target.length; ) {
      const at = position + done
      const start = at - (at % blockBytes)
      const copied = (await this.#readBlock(start)).copy(target, done, at - start)
      if (copied === 0) throw new Error('The ZIP ends early')
      done += copied
    }
  }

  #readBlock(start: number): Promise<Buffer> {
    if (this.#block?.start === start) return this.#block.bytes
    const end = Math.min(start + blockBytes, this.#file.sizeBytes) - 1
    const bytes = this.#file.openRange({ start, end }).then(readWhole)
    this.#block = { start, bytes }
    bytes.catch(() => {
      this.#block = null
    })
    return bytes
  }
}
