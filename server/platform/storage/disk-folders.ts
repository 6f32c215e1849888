import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LRUCache } from 'lru-cache'

export type LimitedSync = (work: () => Promise<void>) => Promise<void>

const maxOpenFolders = 32

/**
 * Recently used folders stay open, and one sync serves all callers that waited for the previous one, because disk
 * operations are scarce during uploads.
 */
export function createFolders(root: string, limitedSync: LimitedSync) {
  const known = new LRUCache<string, FolderSync>({
    max: maxOpenFolders,
    dispose: (folder) => void folder.close(),
  })
  const creating = new Map<string, Promise<void>>()

  async function sync(path: string): Promise<void> {
    const folder = known.get(path) ?? new FolderSync(path, limitedSync)
    known.set(path, folder)
    await folder.sync().catch((error) => {
      known.delete(path)
      throw error
    })
  }

  /** The folder and all created parents are durable when this resolves. */
  async function make(folder: string): Promise<void> {
    const firstMade = await mkdir(folder, { recursive: true })
    if (firstMade === undefined) return
    for (let made = folder; made.length >= firstMade.length && made !== root; made = dirname(made)) {
      known.delete(made)
      await sync(dirname(made))
    }
  }

  async function createOnce(folder: string): Promise<void> {
    const creation = creating.get(folder) ?? make(folder).finally(() => creating.delete(folder))
    creating.set(folder, creation)
    await creation
  }

  return {
    sync,
    make: createOnce,

    async moveInto(stagedPath: string, path: string): Promise<void> {
      if (creating.has(dirname(path))) await createOnce(dirname(path))
      try {
        await rename(stagedPath, path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        await createOnce(dirname(path))
        await rename(stagedPath, path)
      }
    },

    forget(path: string): void {
      for (const folder of known.keys()) if (`${folder}/`.startsWith(`${path}/`)) known.delete(folder)
    },

    async close(): Promise<void> {
      await Promise.all([...known.values()].map((folder) => folder.close()))
      known.clear()
    },
  }
}

class FolderSync {
  readonly #opened: Promise<FileHandle>
  readonly #limitedSync: LimitedSync
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(path: string, limitedSync: LimitedSync) {
    this.#opened = open(path, 'r')
    this.#opened.catch(() => undefined)
    this.#limitedSync = limitedSync
  }

  /** Files that were moved into the folder before the call are durable when this resolves. */
  async sync(): Promise<void> {
    this.#next ??= this.#afterRunning()
    await this.#next
  }

  async #afterRunning(): Promise<void> {
    await this.#running?.catch(() => undefined)
    const syncing = this.#limitedSync(async () => {
      this.#next = null
      await (await this.#opened).sync()
    })
    this.#running = syncing
    await syncing
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next])
    const handle = await this.#opened.catch(() => null)
    await handle?.close()
  }
}
