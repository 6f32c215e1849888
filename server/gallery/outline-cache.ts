import { ListCache } from '../photo-lists/list-cache.ts'

/** The same outline as JSON, and compressed. */
export type SerializedOutline = { json: Buffer; gzip: Buffer }

const maxCachedBytes = 32 * 2 ** 20

export type OutlineCache = ListCache<SerializedOutline>

export const createOutlineCache = (): OutlineCache =>
  new ListCache({ maxBytes: maxCachedBytes, sizeOf: ({ json, gzip }) => json.length + gzip.length })
