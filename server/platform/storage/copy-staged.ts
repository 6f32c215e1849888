import { open } from 'node:fs/promises'
import { ContentDigest } from './content-digest.ts'
import { StorageFull } from './storage.ts'
import { type FilePlace, openRegularFile } from './untrusted-files.ts'
import type { StagedFile, StagingArea } from './write-staged.ts'

/** The source cannot be read; `cause` says why. */
export class CopySourceUnreadable extends Error {}

const bufferBytes = 2 ** 20
const freeBuffers: Buffer[] = []

/**
 * Copies a file of the local disk into a staged file and hashes it on this thread, which only a command may keep busy. Its
 * buffers are used again: new ones for each of many small files cost more than the copying (measured). Throws
 * CopySourceUnreadable.
 */
export async function copyStaged(storage: StagingArea, source: FilePlace): Promise<StagedFile> {
  const from = await openRegularFile(source).catch((cause) => {
    throw new CopySourceUnreadable(cause.message, { cause })
  })
  const path = await storage.stage()
  const to = await open(path, 'wx')
  const buffer = freeBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)
  const digest = new ContentDigest()
  try {
    for (;;) {
      const { bytesRead } = await from.read(buffer, 0, bufferBytes, digest.sizeBytes).catch((cause) => {
        throw new CopySourceUnreadable(cause.message, { cause })
      })
      if (bytesRead === 0) break
      const piece = buffer.subarray(0, bytesRead)
      const { bytesWritten } = await to.write(piece, 0, bytesRead, digest.sizeBytes)
      // A disk that becomes full writes only some of the bytes, without an error.
      if (bytesWritten < bytesRead) throw new StorageFull()
      digest.update(piece)
      if (bytesRead < bufferBytes) break
    }
  } catch (error) {
    await to.close()
    await storage.discard(path)
    throw error
  } finally {
    freeBuffers.push(buffer)
    await from.close()
  }
  const synced = storage.sync(to).finally(() => to.close())
  synced.catch(() => undefined)
  return { path, sizeBytes: digest.sizeBytes, ...digest.finish(), synced }
}
