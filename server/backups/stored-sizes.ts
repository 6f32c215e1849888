import { LRUCache } from 'lru-cache'
import { ContentDigest } from '../platform/storage/content-digest.ts'
import type { Storage } from '../platform/storage/storage.ts'

/**
 * Returns the prefix of the listing that contains a key: the files of one event, or all files in the same top folder.
 */
export function listingPrefixOf(key: string): string {
  const [first = '', second = ''] = key.split('/')
  return first === 'events' ? `${first}/${second}` : first
}

/** Files of one event are adjacent in all lists, so a few listings are enough. */
export const maxCachedListings = 16

/**
 * The returned function finds the stored size of a key; undefined without a file. It lists the storage instead of
 * requesting each file.
 */
export function createSizeLookup(storage: Storage): (key: string) => Promise<number | undefined> {
  const listings = new LRUCache<string, Promise<Map<string, number>>>({ max: maxCachedListings })
  async function list(prefix: string): Promise<Map<string, number>> {
    const sizes = new Map<string, number>()
    for await (const { key, sizeBytes } of storage.list(prefix)) sizes.set(key, sizeBytes)
    return sizes
  }
  return async (key) => {
    const prefix = listingPrefixOf(key)
    const listing = listings.get(prefix) ?? list(prefix)
    listings.set(prefix, listing)
    return (await listing).get(key)
  }
}

export async function hashStoredFile(storage: Storage, key: string): Promise<string> {
  const digest = new ContentDigest()
  for await (const bytes of await storage.openStream(key)) digest.update(bytes)
  return digest.finish().contentHash
}
