import { LRUCache } from 'lru-cache'

export type Topic =
  | 'event'
  | 'photo'
  | 'requested-renditions'
  | 'widest-rendition'
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
/** The id of what has changed; null means that anything of the topic may have changed. */
export type ChangedKey = string | number | null

type Listener = (key: ChangedKey) => void

export type OtherNodes = {
  /** False when changes of other nodes may be missed; then caches must not be used. */
  areConnected: () => boolean
  notify: (topic: Topic, key: ChangedKey) => void
}

/**
 * Notifies listeners, such as caches, of changes. An operation notifies after its commit and before its response, so
 * that the next request to this node sees no stale state.
 */
export class Changes {
  readonly #listeners = new Map<Topic, Listener[]>()
  #otherNodes: OtherNodes | null = null

  notify(topic: Topic, key: ChangedKey): void {
    this.receive(topic, key)
    this.#otherNodes?.notify(topic, key)
  }

  receive(topic: Topic, key: ChangedKey): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(key)
  }

  join(others: OtherNodes): void {
    this.#otherNodes = others
  }

  isDisconnected(): boolean {
    return this.#otherNodes !== null && !this.#otherNodes.areConnected()
  }

  notifyAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null)
  }

  on(topic: Topic, listener: Listener): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener])
  }
}

/** A bounded cache of state that requests read often. It is bypassed while changes of other nodes may be missed. */
export class StateCache<Key extends string | number, Value extends object> {
  readonly #changes: Pick<Changes, 'isDisconnected'>
  readonly #entries: LRUCache<Key, Value>
  #generation = 0

  constructor(changes: Pick<Changes, 'isDisconnected'>, options: { max: number }) {
    this.#changes = changes
    // With `max` instead of `maxSize`, LRUCache allocates all entries at once.
    this.#entries = new LRUCache<Key, Value>({ maxSize: options.max, sizeCalculation: () => 1 })
  }

  get(key: Key): Value | undefined {
    return this.#changes.isDisconnected() ? undefined : this.#entries.get(key)
  }

  /** Returns the cached value or the result of `load`. A result is not cached when a change arrives while it loads. */
  async getOrLoad(key: Key, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.get(key)
    if (cached) return cached
    const wasDisconnected = this.#changes.isDisconnected()
    const generation = this.#generation
    const value = await load()
    const isCurrent = generation === this.#generation && !wasDisconnected && !this.#changes.isDisconnected()
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
