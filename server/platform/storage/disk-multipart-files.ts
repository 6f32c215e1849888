import { constants, type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestThread } from './digest-thread-client.ts'
import { createFolders, type Folders, type LimitedSync } from './disk-folders.ts'
import { listFolder, removeEmptyFolders, removeFolder } from './list-folder.ts'
import type { Staging } from './staging.ts'
import { assertStorageKey, FileMissing, type MultipartFiles } from './storage.ts'
import { type PartWrite, writePart } from './write-part.ts'

type Disk = { root: string; staging: Staging; limitedSync: LimitedSync }

/**
 * Writes each part at its offset in one file, whose name is the handle. `withLocalFile` passes a hard link to a
 * complete file, or renames it where links are not possible. `root` must be on the same file system as the staging
 * folder.
 */
export function createDiskMultipartFiles({ root, staging, limitedSync }: Disk) {
  const folders = createFolders(root, limitedSync)

  function pathOf(key: string): string {
    if (isS3Handle(key)) throw new FileMissing(key)
    return join(root, assertStorageKey(key))
  }

  async function remove(key: string): Promise<void> {
    if (!isS3Handle(key)) await rm(pathOf(key), { force: true })
  }

  const multipart: MultipartFiles = {
    maxParts: Number.POSITIVE_INFINITY,
    // Creates no file, because some uploads never send a part. The first part creates the file.
    begin: async (name) => assertStorageKey(name),

    async write(key, part, source, reserveSpace) {
      const handle = await openOrCreate(folders, pathOf(key))
      const block = digestThread.beginBlock()
      try {
        await writeDurably({ source, handle, position: part.offset, part, block, reserveSpace }, limitedSync)
      } catch (error) {
        block.abandon()
        throw error
      } finally {
        await handle.close()
      }
      // `isCurrent` is always true, because one process uses these files and writes of one part do not overlap.
      return { digest: await block.finish(), isCurrent: async () => true }
    },

    // Only the size is checked: the parts were hashed when they were written, and nothing else writes to the file.
    async withLocalFile(key, { sizeBytes }, use) {
      const path = pathOf(key)
      const found = await stat(path).catch(() => null)
      if (!found?.isFile() || found.size !== sizeBytes) throw new FileMissing(key)
      return withStagedPath(path, staging, (stagedPath) => use(stagedPath, null))
    },

    remove,
    discard: remove,
    list: (prefix) => listFolder(root, prefix),
  }

  return {
    ...multipart,
    async removePrefix(prefix: string): Promise<void> {
      folders.forget(pathOf(prefix))
      await removeFolder(pathOf(prefix))
    },
    async removeEmptyFolders(prefix: string): Promise<void> {
      folders.forget(pathOf(prefix))
      await removeEmptyFolders(pathOf(prefix))
    },
    close: (): Promise<void> => folders.close(),
  }
}

const openOrCreate = (folders: Folders, path: string): Promise<FileHandle> =>
  open(path, 'r+').catch((error) => {
    if (isMissing(error)) return create(folders, path)
    throw error
  })

/** Makes the file name durable, because without the name the parts in the file would be lost. */
async function create(folders: Folders, path: string): Promise<FileHandle> {
  await folders.make(dirname(path))
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT)
  await folders.sync(dirname(path))
  return handle
}

async function writeDurably(partWrite: PartWrite, limitedSync: LimitedSync): Promise<void> {
  const sync = () => limitedSync(() => partWrite.handle.datasync())
  // Syncs the first half while the second arrives, for one seventh more throughput (measured). `finally` below
  // waits for this sync and fails with its error.
  let halfwaySync: Promise<void> | null = null
  const onHalf = () => {
    halfwaySync ??= sync()
    halfwaySync.catch(() => undefined)
  }
  await writePart({ ...partWrite, onHalf }).finally(() => halfwaySync)
  await sync()
}

/** The file at `path` is there again when this resolves or rejects, unless `use` committed it without a link. */
async function withStagedPath<T>(path: string, staging: Staging, use: (stagedPath: string) => Promise<T>): Promise<T> {
  const stagedPath = await staging.path()
  const isLinked = await tryLink(path, stagedPath)
  if (!isLinked) await rename(path, stagedPath)
  try {
    return await use(stagedPath)
  } finally {
    if (!isLinked) await rename(stagedPath, path).catch(ignoreMissing)
    await staging.discard(stagedPath)
  }
}

async function tryLink(path: string, stagedPath: string): Promise<boolean> {
  try {
    await link(path, stagedPath)
    return true
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** A handle of an object store, which had the media before they were moved to this disk. */
const isS3Handle = (handle: string): boolean => handle.includes('?uploadId=')

const isMissing = (error: NodeJS.ErrnoException): boolean => error.code === 'ENOENT'

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (!isMissing(error)) throw error
}
