import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ContentDigest } from './content-digest.ts'
import { FileWriting } from './file-writing.ts'
import type { Storage } from './storage.ts'

export type StagedFile = {
  path: string
  sizeBytes: number
  contentHash: string
  crc32: number
  /** Its first 64 KB: they tell what most files are without opening them again. */
  head: Buffer
  /** Resolves when the file is durable; begun with its last byte, so that it can be checked meanwhile. */
  synced: Promise<void>
}

const headBytes = 65_536

/** Where files are staged: the storage, or another place that takes files in the same way. */
export type StagingPlace = Pick<Storage, 'stage' | 'discard' | 'sync'>

/** Writes a stream to a fresh staged file, once, hashing as the bytes pass. Leaves nothing behind when it throws. */
export async function writeStaged(storage: StagingPlace, source: Readable): Promise<StagedFile> {
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
    await pipeline(source, new FileWriting({ handle, position: 0, onBytes }))
  } catch (error) {
    await handle?.close()
    await storage.discard(path)
    throw error
  }
  const whole = handle
  const synced = storage.sync(whole).finally(() => whole.close())
  // Whoever throws the file away does not wait for it.
  synced.catch(() => undefined)
  const { sizeBytes } = digest
  return { path, sizeBytes, ...digest.finish(), head: Buffer.concat(head).subarray(0, headBytes), synced }
}
