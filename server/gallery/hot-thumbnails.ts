import { LRUCache } from 'lru-cache'

const maxBytes = 32 * 2 ** 20

/** A thumbnail's bytes and, made once, all headers that every answer with it carries. */
export type HotThumbnail = { body: Buffer; etag: string; headers: string[] }

export type HotThumbnails = LRUCache<string, HotThumbnail>

/** The thumbnails asked for lately, by file name. A name never gets other bytes, so nothing here can be out of date. */
export const createHotThumbnails = (): HotThumbnails =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }) => body.length + 2_000 })
