import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { listingPrefixOf, maxCachedListings } from '../backups/stored-sizes.ts'

/** Stores hashes of verified files, one list per `listingPrefixOf`, so that the next run need not read the files. */
export function openMovedFileLists(folder: string) {
  const lists = new LRUCache<string, Promise<Map<string, string>>>({ max: maxCachedListings })
  const listPath = (key: string) => join(folder, `${listingPrefixOf(key).replaceAll('/', '-')}.txt`)

  function loadList(key: string): Promise<Map<string, string>> {
    const list = lists.get(listingPrefixOf(key)) ?? readList(listPath(key))
    lists.set(listingPrefixOf(key), list)
    return list
  }

  return {
    hashOf: async (key: string): Promise<string | undefined> => (await loadList(key)).get(key),

    async record(key: string, contentHash: string): Promise<void> {
      const list = await loadList(key)
      if (list.get(key) === contentHash) return
      list.set(key, contentHash)
      await mkdir(folder, { recursive: true })
      await appendFile(listPath(key), `${key} ${contentHash}\n`)
    },
  }
}

/** Ignores a last line that a crash has cut off. */
async function readList(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.matchAll(/^(\S+) ([0-9a-f]{64})\n/gm)
  return new Map([...lines].map(([, key = '', contentHash = '']) => [key, contentHash]))
}
