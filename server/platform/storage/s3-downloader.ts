import { type FileHandle, open } from 'node:fs/promises'
import { ContentDigest } from './content-digest.ts'
import type { createSpaceTracker } from './free-space.ts'
import type { S3Objects } from './s3-objects.ts'
import { openS3Reader } from './s3-reader.ts'
import type { Staging } from './staging.ts'
import { FileMissing, StorageFull } from './storage.ts'

type Expected = { sizeBytes?: number | undefined; contentHash?: string | undefined }

export type Downloader = ReturnType<typeof createDownloader>

const bufferBytes = 256 * 1024

export function createDownloader(
  objects: S3Objects,
  staging: Staging,
  freeSpace: ReturnType<typeof createSpaceTracker>,
) {
  async function fill(path: string, key: string, { sizeBytes, contentHash }: Expected): Promise<void> {
    const found = sizeBytes ?? (await objects.findSize(key))
    if (found === null) throw new FileMissing(key)
    const reader = await openS3Reader(objects, key, undefined, found)
    let file: FileHandle | undefined
    try {
      await freeSpace.reserve(found)
      file = await open(path, 'wx')
      const digest = contentHash === undefined ? null : new ContentDigest()
      const buffer = Buffer.allocUnsafe(bufferBytes)
      for (let length = await reader.read(buffer); length > 0; length = await reader.read(buffer)) {
        const bytes = buffer.subarray(0, length)
        digest?.update(bytes)
        const { bytesWritten } = await file.write(bytes)
        if (bytesWritten < length) throw new StorageFull()
      }
      if (digest && digest.finish().contentHash !== contentHash) throw new FileMissing(key)
    } finally {
      await Promise.all([file?.close(), reader.close()])
    }
  }

  /** Throws FileMissing for a missing object and for one of another size or hash than expected, and StorageFull. */
  return async <T>(key: string, expected: Expected, use: (path: string) => Promise<T>): Promise<T> => {
    const path = await staging.path()
    try {
      await fill(path, key, expected)
      return await use(path)
    } finally {
      await staging.discard(path)
    }
  }
}
