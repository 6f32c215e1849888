import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ContentDigest } from './content-digest.ts'
import { type Storage, StorageFull } from './storage.ts'

export type StagedFile = { path: string; sizeBytes: number; contentHash: string; crc32: number }

/** Writes a stream to a fresh staged file, once, hashing as the bytes pass. Leaves nothing behind when it throws. */
export async function writeStaged(storage: Storage, source: Readable): Promise<StagedFile> {
  const path = await storage.stage()
  const digest = new ContentDigest()
  try {
    await pipeline(source, stagedWritable(path, digest))
  } catch (error) {
    await storage.discard(path)
    throw error
  }
  return { path, sizeBytes: digest.sizeBytes, ...digest.finish() }
}

/** Chunks that arrive while one is being written go out together in the next write. */
function stagedWritable(path: string, digest: ContentDigest): Writable {
  let file: FileHandle

  async function append(chunks: Buffer[]): Promise<void> {
    const sizeBefore = digest.sizeBytes
    for (const chunk of chunks) digest.update(chunk)
    const { bytesWritten } = await file.writev(chunks)
    // A disk that becomes full takes a part of its last write without an error.
    if (sizeBefore + bytesWritten < digest.sizeBytes) throw new StorageFull()
  }

  return new Writable({
    highWaterMark: 2 ** 20,
    construct(callback) {
      open(path, 'wx').then((opened) => {
        file = opened
        callback()
      }, callback)
    },
    write(chunk: Buffer, _encoding, callback) {
      append([chunk]).then(() => callback(), callback)
    },
    writev(items, callback) {
      append(items.map(({ chunk }) => chunk as Buffer)).then(() => callback(), callback)
    },
    destroy(error, callback) {
      if (!file) return callback(error)
      file.close().then(
        () => callback(error),
        (closing) => callback(error ?? closing),
      )
    },
  })
}
