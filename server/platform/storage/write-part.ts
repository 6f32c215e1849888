import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { BlockHasher } from './digest-thread-client.ts'
import { type FilePart, type ReserveSpace, StorageFull, WrongPartSize } from './storage.ts'

export type PartWrite = {
  source: Readable
  handle: FileHandle
  position: number
  part: FilePart
  block: BlockHasher
  onHalf?: () => void
  reserveSpace?: ReserveSpace | undefined
}

/** How many buffers (up to 64 KB each) are hashed together: waking a thread costs more than passing it a buffer. */
const piecesPerBatch = 8

/**
 * Writes and hashes one part; nothing is written after this resolves or rejects. Throws WrongPartSize and StorageFull.
 *
 * Each buffer is written before the next one is read, because copying buffers to the file takes twice the time when
 * they wait in memory (measured). The digest thread takes ownership of the memory and frees it; the garbage collector
 * of this thread would let 64 MB accumulate first.
 */
export async function writePart({
  source,
  handle,
  position,
  part,
  block,
  onHalf,
  reserveSpace,
}: PartWrite): Promise<void> {
  let receivedBytes = 0
  let batch: Buffer[] = []
  for await (const bytes of piecesOf(source)) {
    const at = position + receivedBytes
    receivedBytes += bytes.length
    if (receivedBytes > part.sizeBytes) throw new WrongPartSize({ isTooLong: true })
    await reserveSpace?.(bytes.length)
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at)
    // A disk that becomes full writes only some of the bytes, without an error.
    if (bytesWritten < bytes.length) throw new StorageFull()
    if (receivedBytes > part.sizeBytes / 2) onHalf?.()
    batch.push(bytes)
    if (batch.length < piecesPerBatch) continue
    await block.update(batch)
    batch = []
  }
  if (receivedBytes < part.sizeBytes) throw new WrongPartSize({ isTooLong: false })
  await block.update(batch)
}

/** A source that fails counts as too short. Destroying it would close the connection before the response. */
async function* piecesOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false })
  } catch {
    throw new WrongPartSize({ isTooLong: false })
  }
}
