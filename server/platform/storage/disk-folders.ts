import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LRUCache } from 'lru-cache'

export type Folders = ReturnType<typeof createFolders>
export type LimitedSync = (work: () => Promise<void>) => Promise<void>

const maxOpenFolders = 32

/**
 * Up to `maxOpenFolders` folders stay open, and one sync serves all waiting calls, because disk operations are slow
 * during uploads.
 */
export function createFolders(root: string, limitedSync: LimitedSync) {
  const known = new LRUCache<string, ReturnType<typeof openFolder>>({
    max: maxOpenFolders,
    dispose: (folder) => void folder.close(),
  })
  const creating = new Map<string, Promise<void>>()

  async function sync(path: string): Promise<void> {
    const folder = known.get(path) ?? openFolder(path, limitedSync)
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

function openFolder(path: string, limitedSync: LimitedSync) {
  const opened = open(path, 'r')
  opened.catch(() => undefined)
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  async function syncAfterRunning(): Promise<void> {
    await running?.catch(() => undefined)
    running = limitedSync(async () => {
      next = null
      await (await opened).sync()
    })
    await running
  }

  return {
    /** Files that were moved into the folder before the call are durable when this resolves. */
    async sync(): Promise<void> {
      next ??= syncAfterRunning()
      await next
    },
    async close(): Promise<void> {
      await Promise.allSettled([running, next])
      const handle = await opened.catch(() => null)
      await handle?.close()
    },
  }
}
