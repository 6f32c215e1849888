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
/** What of a topic has changed; null: anything. */
export type ChangedKey = string | number | null

type Listener = (key: ChangedKey) => void

/** The other nodes on the same database, as far as this one is in touch with them. */
export type OtherNodes = {
  /** Whether what they change is heard of at once; else nothing cached may be trusted. */
  areHeard: () => boolean
  tell: (topic: Topic, key: ChangedKey) => void
}

/**
 * Tells whoever holds cached state that it has changed. An operation tells after its commit and before its answer,
 * so that the next request never sees what was just changed.
 */
export class Changes {
  readonly #listeners = new Map<Topic, Listener[]>()
  #others: OtherNodes | null = null

  tell(topic: Topic, key: ChangedKey): void {
    this.hear(topic, key)
    this.#others?.tell(topic, key)
  }

  /** Another node has changed it. */
  hear(topic: Topic, key: ChangedKey): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(key)
  }

  /** From now on this is one of several nodes. */
  join(others: OtherNodes): void {
    this.#others = others
  }

  /** Several nodes work on the database, and what the others change is not heard of now. */
  isDeaf(): boolean {
    return this.#others !== null && !this.#others.areHeard()
  }

  /** Somebody else has written something: nothing cached may be trusted. */
  tellAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null)
  }

  on(topic: Topic, listener: Listener): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener])
  }
}

/**
 * Small state read on every request, such as an event by its slug. Bounded; never older than the last change told.
 * While the changes of other nodes are not heard it knows nothing and keeps nothing.
 */
export class StateCache<Key extends string | number, Value extends object> {
  readonly #changes: Pick<Changes, 'isDeaf'>
  readonly #entries: LRUCache<Key, Value>
  #generation = 0

  constructor(changes: Pick<Changes, 'isDeaf'>, options: { max: number }) {
    this.#changes = changes
    // With `max` in place of a size it would allocate all of its entries at once, used or not.
    this.#entries = new LRUCache<Key, Value>({ maxSize: options.max, sizeCalculation: () => 1 })
  }

  get(key: Key): Value | undefined {
    return this.#changes.isDeaf() ? undefined : this.#entries.get(key)
  }

  /** The cached value, or what `load` finds. What was being read while a change came in is not kept. */
  async getOrLoad(key: Key, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.get(key)
    if (known) return known
    const wasDeaf = this.#changes.isDeaf()
    const generation = this.#generation
    const value = await load()
    const isCurrent = generation === this.#generation && !wasDeaf && !this.#changes.isDeaf()
    if (value && isCurrent) this.#entries.set(key, value)
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
