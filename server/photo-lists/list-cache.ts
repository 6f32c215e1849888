import { LRUCache } from 'lru-cache'
import { shortRead } from '../platform/database/short-read.ts'
import type { Database } from '../platform/database/tables.ts'

/** Holds what was read from the photos of an event until one of them changes. Each look-up reads the version first. */
export class ListCache<T> {
  readonly #known: LRUCache<string, { version: string; value: T }>
  readonly #loading = new Map<string, Promise<T>>()

  constructor({ maxBytes, sizeOf }: { maxBytes: number; sizeOf: (value: T) => number }) {
    this.#known = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ value }) => Math.max(1, sizeOf(value)) })
  }

  /** `name` must name all that the value depends on, except for the photos of the event. */
  async getOrLoad(db: Database, eventId: number, name: string, load: () => Promise<T>): Promise<T> {
    const version = await readListVersion(db, eventId)
    const key = `${eventId} ${name}`
    const known = this.#known.get(key)
    if (known?.version === version) return known.value
    const loadingKey = `${version} ${key}`
    const running = this.#loading.get(loadingKey) ?? this.#load(key, version, load)
    this.#loading.set(loadingKey, running)
    return running.finally(() => this.#loading.delete(loadingKey))
  }

  async #load(key: string, version: string, load: () => Promise<T>): Promise<T> {
    const value = await load()
    this.#known.set(key, { version, value })
    return value
  }
}

async function readListVersion(db: Database, eventId: number): Promise<string> {
  const totals = await db
    .selectFrom('event_photo_totals')
    .select('list_version')
    .where('event_id', '=', eventId)
    .modifyEnd(shortRead)
    .executeTakeFirst()
  return String(totals?.list_version ?? 'none')
}
