import { LRUCache } from 'lru-cache'
import { runCompiled } from '../../platform/database/compile-once.ts'
import { shortRead } from '../../platform/database/short-read.ts'
import type { Database } from '../../platform/database/tables.ts'

/** Holds what was read from the photos of an event until one of them changes. Each request reads the version first. */
export class ListCache<T> {
  readonly #known: LRUCache<string, { version: string; value: T }>
  readonly #loading = new Map<string, Promise<T>>()

  constructor({ maxBytes, sizeOf }: { maxBytes: number; sizeOf: (value: T) => number }) {
    this.#known = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ value }) => Math.max(1, sizeOf(value)) })
  }

  /** Like `getOrLoad`, and reads the version. */
  async readOrLoad(db: Database, eventId: number, name: string, load: () => Promise<T>): Promise<T> {
    return this.getOrLoad(await loadListTotals(db, eventId), eventId, name, load)
  }

  /**
   * `version` must have been read for the same request. `name` must name all that the value depends on, except for the
   * photos of the event.
   */
  async getOrLoad(
    { version }: Pick<ListTotals, 'version'>,
    eventId: number,
    name: string,
    load: () => Promise<T>,
  ): Promise<T> {
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

/** The counts of the photos of an event, and a version that each change of its photos increments. */
export type ListTotals = { version: string; photoCount: number; visibleCount: number }

/** An event without photos may have no row. */
export async function loadListTotals(db: Database, eventId: number): Promise<ListTotals> {
  const [totals] = await runCompiled(db, 'list totals', { eventId }, ({ eventId }) =>
    db
      .selectFrom('event_photo_totals')
      .select(['photo_count', 'visible_count', 'list_version'])
      .where('event_id', '=', eventId)
      .modifyEnd(shortRead),
  )
  if (!totals) return { version: 'none', photoCount: 0, visibleCount: 0 }
  const { photo_count: photoCount, visible_count: visibleCount } = totals
  return { version: String(totals.list_version), photoCount, visibleCount }
}
