import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { createStaging } from '../platform/storage/staging.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'

const maxConcurrentSyncs = 4

export type StoredContent = { contentHash: string; sizeBytes: number; isNew: boolean }

export type ContentStore = ReturnType<typeof createContentStore>

/**
 * The contents of all backups in a folder, each stored once as `files/<first two digits of the hash>/<hash>`. A file
 * gets this name only after it is complete and synced.
 */
export function createContentStore(folder: string) {
  const root = join(folder, 'files')
  const limitSyncs = pLimit(maxConcurrentSyncs)
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), hash)
  // Created when it is first needed, because reading must also work on a read-only disk.
  let staging: ReturnType<typeof createStaging> | null = null
  const getStaging = () => {
    staging ??= createStaging(join(folder, 'staging'))
    return staging
  }

  const has = async (hash: string, sizeBytes: number): Promise<boolean> => {
    const found = await stat(pathOf(hash)).catch(nullIfMissing)
    return found?.isFile() === true && found.size === sizeBytes
  }

  return {
    pathOf,
    has,

    async put(source: Readable): Promise<StoredContent> {
      const { path, discard, forget } = getStaging()
      const sync = (staged: { sync: () => Promise<void> }) => limitSyncs(() => staged.sync())
      const staged = await writeStaged({ stage: path, discard, sync }, source)
      const { contentHash, sizeBytes } = staged
      try {
        await staged.synced
        if (await has(contentHash, sizeBytes)) return { contentHash, sizeBytes, isNew: false }
        await mkdir(join(root, contentHash.slice(0, 2)), { recursive: true })
        await rename(staged.path, pathOf(contentHash))
        forget(staged.path)
        return { contentHash, sizeBytes, isNew: true }
      } finally {
        await discard(staged.path)
      }
    },

    async read(hash: string): Promise<Readable> {
      const handle = await open(pathOf(hash), 'r')
      return createReadStream('', { fd: handle, highWaterMark: 256 * 1024 })
    },

    /** Syncs the folders, so that all file names survive a crash, including those from an interrupted run. */
    async sync(): Promise<void> {
      const prefixes = (await readdir(root).catch(nullIfMissing)) ?? []
      for (const prefix of prefixes) await syncFolder(join(root, prefix))
      if (prefixes.length > 0) await syncFolder(root)
      await syncFolder(folder)
    },

    /** Removes the temporary files of processes that have ended. */
    clearLeftovers: () => getStaging().clearLeftovers(),

    listByPrefix: async (prefix: string): Promise<string[]> =>
      (await readdir(join(root, prefix)).catch(nullIfMissing)) ?? [],
    remove: (hash: string) => rm(pathOf(hash), { force: true }),
  }
}

/** Makes renames into and out of a folder durable. */
export const syncFolder = (path: string): Promise<void> => sync(path, 'r')

/** Makes the content of a file durable. */
export const syncFile = (path: string): Promise<void> => sync(path, 'r+')

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
