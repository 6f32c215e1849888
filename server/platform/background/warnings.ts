import type { Clock } from '../clock.ts'

type Facts = Record<string, string | number>

/** What background work has to tell the operator of this process, until it goes well again. */
export class Warnings {
  readonly #raised = new Map<string, { since: number; facts: Facts }>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  raise(name: string, facts: Facts): void {
    this.#raised.set(name, { since: this.find(name)?.since ?? this.#clock.now(), facts })
  }

  clear(name: string): void {
    this.#raised.delete(name)
  }

  find(name: string): { since: number; facts: Facts } | undefined {
    return this.#raised.get(name)
  }
}
