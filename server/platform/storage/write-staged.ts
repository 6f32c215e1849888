import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ContentDigest } from './content-digest.ts'
import { FileWriteStream } from './file-write-stream.ts'
import type { Storage } from './storage.ts'

export type StagedFile = {
  path: string
  sizeBytes: number
  contentHash: string
  crc32: number
  /** The first 64 KB, which identify most files without opening them again. */
  head: Buffer
  /** The sync starts after the last byte, so that the file can be checked at the same time. */
  synced: Promise<void>
}

const headBytes = 65_536

export type StagingArea = Pick<Storage, 'stage' | 'discard' | 'sync'>

/** Hashes the file. Removes it when it throws. */
export async function writeStaged(storage: StagingArea, source: Readable): Promise<StagedFile> {
  const path = await storage.stage()
  const digest = new ContentDigest()
  const head: Buffer[] = []
  const onBytes = (bytes: Buffer) => {
    if (digest.sizeBytes < headBytes) head.push(bytes)
    digest.update(bytes)
  }
  let handle: FileHandle | null = null
  try {
    handle = await open(path, 'wx')
    await pipeline(source, new FileWriteStream({ handle, position: 0, onBytes }))
  } catch (error) {
    await handle?.close()
    await storage.discard(path)
    throw error
  }
  const whole = handle
  const synced = storage.sync(whole).finally(() => whole.close())
  // A caller that discards the file does not wait for the sync.
  synced.catch(() => undefined)
  const { sizeBytes } = digest
  return { path, sizeBytes, ...digest.finish(), head: Buffer.concat(head).subarray(0, headBytes), synced }
}
