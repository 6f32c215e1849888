import { constants, type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { createBlockDigests, type OpenBlock } from './digest-blocks.ts'
import type { InSyncTurn } from './disk-folders.ts'
import { createFolders } from './disk-folders.ts'
import { listFolder } from './list-folder.ts'
import { type FilePart, type PartedFiles, WrongPartSize } from './parted-files.ts'
import { removeEmptyFolders, removeFolder } from './remove-folders.ts'
import type { createStaging } from './staging.ts'
import { FileMissing, StorageFull } from './storage.ts'

type Disk = {
  root: string
  staging: ReturnType<typeof createStaging>
  inSyncTurn: InSyncTurn
  /** Throws for a key that is not made of plain segments. */
  checked: (key: string) => string
}

/**
 * Every part at its offset of one file below `root`, which is on the file system of the staging. It is lent as a second name of
 * the same file, so that a commit, which takes that name away, leaves the first one for whoever has to try again.
 */
export function createDiskPartedFiles({ root, staging, inSyncTurn, checked }: Disk) {
  const folders = createFolders(root, inSyncTurn)
  const digests = createBlockDigests()
  const pathOf = (key: string) => join(root, checked(key))

  /** Its name is durable: a part is worth nothing in a file that nobody finds. */
  async function create(path: string): Promise<FileHandle> {
    await folders.make(dirname(path))
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT)
    await folders.sync(dirname(path))
    return handle
  }

  const openOrCreate = (path: string): Promise<FileHandle> =>
    open(path, 'r+').catch((error) => {
      if (isMissing(error)) return create(path)
      throw error
    })

  const parted: PartedFiles = {
    async write(key, part, source, onBytes) {
      const handle = await openOrCreate(pathOf(key))
      const block = digests.begin()
      try {
        const halfway = startOnce(() => inSyncTurn(() => handle.datasync()))
        await pour(source, handle, part, block, halfway.start, onBytes).finally(halfway.ended)
        await inSyncTurn(() => handle.datasync())
      } catch (error) {
        block.abandon()
        throw error
      } finally {
        await handle.close()
      }
      return block.finish()
    },

    async lend(key, sizeBytes, use) {
      const path = pathOf(key)
      const found = await stat(path).catch(() => null)
      if (!found?.isFile() || found.size !== sizeBytes) throw new FileMissing(key)
      const stagedPath = await staging.path()
      const isLinked = await linked(path, stagedPath)
      if (!isLinked) await rename(path, stagedPath)
      try {
        return await use(stagedPath)
      } finally {
        if (!isLinked) await rename(stagedPath, path).catch(unlessMissing)
        await staging.discard(stagedPath)
      }
    },

    remove: (key) => rm(pathOf(key), { force: true }),
    list: (prefix) => listFolder(root, prefix),
  }

  return {
    ...parted,
    async removePrefix(prefix: string): Promise<void> {
      folders.forget(pathOf(prefix))
      await removeFolder(pathOf(prefix))
    },
    async removeEmptyFolders(prefix: string): Promise<void> {
      folders.forget(pathOf(prefix))
      await removeEmptyFolders(pathOf(prefix))
    },
    async close(): Promise<void> {
      await Promise.all([folders.close(), digests.close()])
    },
  }
}

/**
 * The disk begins with the first half while the second one is still coming: measured, a seventh more of all. What fails then
 * fails the part: a disk tells of an error once.
 */
function startOnce(work: () => Promise<void>) {
  let started: Promise<void> | null = null
  return {
    start(): void {
      started ??= work()
      started.catch(() => undefined)
    },
    ended: async (): Promise<void> => {
      await started
    },
  }
}

/** So many pieces of 64 KB go to be hashed together: waking a thread costs more than handing a piece over. */
const piecesOfLot = 8

/**
 * Resolves when the last byte is written, rejects when none will be any more: then another may write here. Each piece is
 * written before the next one is read: measured, of pieces that wait for each other in memory the copying alone takes twice
 * the time. What is written is hashed on another thread, which takes the memory with it: the collector would come for it
 * only after 64 MB, and walk the whole heap each time.
 */
async function pour(
  source: Readable,
  handle: FileHandle,
  part: FilePart,
  block: OpenBlock,
  onHalf: () => void,
  onBytes?: () => void,
): Promise<void> {
  let receivedBytes = 0
  let lot: Buffer[] = []
  for await (const bytes of piecesOf(source)) {
    const position = part.offset + receivedBytes
    receivedBytes += bytes.length
    if (receivedBytes > part.sizeBytes) throw new WrongPartSize({ isTooLong: true })
    onBytes?.()
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, position)
    // A disk that becomes full takes a part of its last write without an error.
    if (bytesWritten < bytes.length) throw new StorageFull()
    if (receivedBytes > part.sizeBytes / 2) onHalf()
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

/** False where the file system knows no second names. */
async function linked(path: string, stagedPath: string): Promise<boolean> {
  try {
    await link(path, stagedPath)
    return true
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

const isMissing = (error: NodeJS.ErrnoException): boolean => error.code === 'ENOENT'

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (!isMissing(error)) throw error
}
