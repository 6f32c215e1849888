import { Readable } from 'node:stream'
import type { FetchedObject, S3Objects } from './s3-objects.ts'
import { type ByteRange, type ByteReader, FileMissing } from './storage.ts'

const maxReadAttempts = 3

/**
 * When the connection is lost, the reader continues with the next byte, unless the object has changed. Throws
 * FileMissing for a missing object and for an object that does not have `sizeBytes`.
 */
export async function openS3Reader(
  objects: S3Objects,
  key: string,
  range: ByteRange | undefined,
  sizeBytes: number | undefined,
): Promise<ByteReader> {
  const first = await objects.get(key, range)
  if (sizeBytes !== undefined && first?.sizeBytes !== sizeBytes) {
    first?.body.destroy()
    throw new FileMissing(key)
  }
  const end = Math.min(range?.end ?? Number.POSITIVE_INFINITY, (first?.sizeBytes ?? 0) - 1)
  let position = range?.start ?? 0
  let fetched: FetchedObject | null = first
  let pieces = piecesOf(first)
  let rest: Buffer = Buffer.alloc(0)
  let isClosed = false

  async function reopen(): Promise<void> {
    fetched?.body.destroy()
    fetched = await objects.get(key, { start: position, end }, first?.etag)
    pieces = piecesOf(fetched)
    if (isClosed) fetched?.body.destroy()
  }

  async function nextPiece(): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { value, done } = await pieces.next()
        if (!done) return value
        throw new Error('The object store ended a response early')
      } catch (error) {
        if (isClosed || attempt === maxReadAttempts) throw error
        await reopen()
      }
    }
  }

  return {
    async read(buffer) {
      if (isClosed) throw new Error('The reader is closed')
      if (position > end) return 0
      if (rest.length === 0) rest = await nextPiece()
      const length = rest.copy(buffer)
      rest = rest.subarray(length)
      position += length
      return length
    },
    async close() {
      isClosed = true
      fetched?.body.destroy()
    },
  }
}

async function* piecesOf(fetched: FetchedObject | null): AsyncGenerator<Buffer, undefined> {
  if (fetched) yield* fetched.body
  return undefined
}

const pieceBytes = 64 * 1024

/** Destroying the stream closes the reader. */
export function createReaderStream(reader: ByteReader): Readable {
  return new Readable({
    highWaterMark: 4 * pieceBytes,
    read() {
      const piece = Buffer.allocUnsafe(pieceBytes)
      reader.read(piece).then(
        (length) => this.push(length === 0 ? null : piece.subarray(0, length)),
        (error) => this.destroy(error),
      )
    },
    destroy(error, callback) {
      reader.close().then(
        () => callback(error),
        () => callback(error),
      )
    },
  })
}
