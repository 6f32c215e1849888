import { LRUCache } from 'lru-cache'

export type Topic =
  | 'event'
  | 'photo'
  | 'wished-renditions'
  | 'video'
  | 'settings'
  | 'account'
  | 'session'
  | 'api-token'
  | 'mail'
  | 'guest'
  | 'customer'
  | 'live'
  | 'delivery'
type Listener = (key: string | number | null) => void

/**
 * Tells whoever holds cached state that it has changed. A deed tells after its commit and before its answer,
 * so that the next request never sees what was just changed.
 */
export class Changes {
  readonly #listeners = new Map<Topic, Listener[]>()

  tell(topic: Topic, key: string | number | null): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(key)
  }

  /** Somebody else has written something: nothing cached may be trusted. */
  tellAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null)
  }

  on(topic: Topic, listener: Listener): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener])
  }
}

/** Small state read on every request, such as an event by its slug. Bounded; never older than the last change told. */
export class StateCache<Key extends string | number, Value extends object> {
  readonly #entries: LRUCache<Key, Value>
  #generation = 0

  constructor(options: { max: number }) {
    this.#entries = new LRUCache<Key, Value>({ max: options.max })
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** The cached value, or what `load` finds. What was being read while a change came in is not kept. */
  async getOrLoad(key: Key, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#entries.get(key)
    if (known) return known
    const generation = this.#generation
    const value = await load()
    if (value && generation === this.#generation) this.#entries.set(key, value)
    return value
  }

  drop(): void {
    this.#generation++
    this.#entries.clear()
  }

  dropKey(key: Key): void {
    this.#generation++
    this.#entries.delete(key)
  }
}
