import { LRUCache } from 'lru-cache'

const maxBytes = 32 * 2 ** 20

export type CachedThumbnail = { body: Buffer; etag: string; headers: string[] }

export type ThumbnailCache = LRUCache<string, CachedThumbnail>

/** Keyed by file name. The content of a file name never changes, so entries never become stale. */
export const createThumbnailCache = (): ThumbnailCache =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }) => body.length + 2_000 })
