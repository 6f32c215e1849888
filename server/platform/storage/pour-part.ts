import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { OpenBlock } from './digest-blocks.ts'
import { type FilePart, WrongPartSize } from './parted-files.ts'
import { StorageFull } from './storage.ts'

type Pouring = {
  source: Readable
  handle: FileHandle
  /** Where in the file its first byte goes. */
  position: number
  part: FilePart
  block: OpenBlock
  /** More than half of it is written. */
  onHalf?: () => void
  onBytes?: (() => void) | undefined
}

/** So many pieces of 64 KB go to be hashed together: waking a thread costs more than handing a piece over. */
const piecesOfLot = 8

/**
 * Writes the bytes of a part to their place in an open file. Resolves when the last one is written, rejects when none will
 * be any more: then another may write here. Throws WrongPartSize, StorageFull.
 *
 * Each piece is written before the next one is read: measured, of pieces that wait for each other in memory the copying
 * alone takes twice the time. What is written is hashed on another thread, which takes the memory with it: the collector
 * would come for it only after 64 MB, and walk the whole heap each time.
 */
export async function pourPart({ source, handle, position, part, block, onHalf, onBytes }: Pouring): Promise<void> {
  let receivedBytes = 0
  let lot: Buffer[] = []
  for await (const bytes of piecesOf(source)) {
    const at = position + receivedBytes
    receivedBytes += bytes.length
    if (receivedBytes > part.sizeBytes) throw new WrongPartSize({ isTooLong: true })
    onBytes?.()
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at)
    // A disk that becomes full takes a part of its last write without an error.
    if (bytesWritten < bytes.length) throw new StorageFull()
    if (receivedBytes > part.sizeBytes / 2) onHalf?.()
    lot.push(bytes)
    if (lot.length < piecesOfLot) continue
    await block.update(lot)
    lot = []
  }
  if (receivedBytes < part.sizeBytes) throw new WrongPartSize({ isTooLong: false })
  await block.update(lot)
}

/** One that breaks off is too short. It is not closed early: a connection would go with it, before its answer. */
async function* piecesOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false })
  } catch {
    throw new WrongPartSize({ isTooLong: false })
  }
}
