import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createTurns } from '../platform/background/turns.ts'
import { createStaging } from '../platform/storage/staging.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'

const syncsAtOnce = 4

export type StoredContent = { contentHash: string; sizeBytes: number; isNew: boolean }

export type ContentStore = ReturnType<typeof createContentStore>

/**
 * The contents that all backups of a folder share: each once, as `files/<first two digits>/<tree hash>`, so that the
 * next backup copies only what is new. A content is whole and durable before it gets its name.
 */
export function createContentStore(folder: string) {
  const root = join(folder, 'files')
  const inSyncTurn = createTurns(syncsAtOnce)
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), hash)
  // Made with the first content that is written: reading must do where nothing can be written.
  let staging: ReturnType<typeof createStaging> | null = null
  const ownStaging = () => {
    staging ??= createStaging(join(folder, 'staging'))
    return staging
  }

  const has = async (hash: string, sizeBytes: number): Promise<boolean> => {
    const found = await stat(pathOf(hash)).catch(unlessMissing)
    return found?.isFile() === true && found.size === sizeBytes
  }

  return {
    pathOf,
    has,

    /** Takes a stream in, hashing it; what is there already is not kept twice. */
    async put(source: Readable): Promise<StoredContent> {
      const { path, discard, forget } = ownStaging()
      const sync = (staged: { sync: () => Promise<void> }) => inSyncTurn(() => staged.sync())
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

    /** Rejects where it is missing. */
    async read(hash: string): Promise<Readable> {
      const handle = await open(pathOf(hash), 'r')
      return createReadStream('', { fd: handle, highWaterMark: 256 * 1024 })
    },

    /** The names of all that is there are durable when it resolves, also of what an interrupted run has put. */
    async sync(): Promise<void> {
      const starts = (await readdir(root).catch(unlessMissing)) ?? []
      for (const start of starts) await syncFolder(join(root, start))
      if (starts.length > 0) await syncFolder(root)
      await syncFolder(folder)
    },

    /** Clears what processes that have died were writing. */
    clearLeftovers: () => ownStaging().clearLeftovers(),

    /** The hashes that begin with two digits. */
    listOf: async (start: string): Promise<string[]> => (await readdir(join(root, start)).catch(unlessMissing)) ?? [],
    remove: (hash: string) => rm(pathOf(hash), { force: true }),
  }
}

/** What was moved into a folder, or out of it, is durable when it resolves. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
