import type { Clock } from '../clock.ts'

type Facts = Record<string, string | number>

export type Warning = { since: number; facts: Facts }

export type SharedWarnings = {
  /** Writes asynchronously, in the order of the calls. */
  raise: (name: string, warning: Warning) => void
  clear: (name: string) => void
  /** Returns all current warnings after earlier writes are done. */
  read: () => Promise<Map<string, Warning>>
}

/** Warnings of background work for the operator, until they are cleared. */
export class Warnings {
  #raised = new Map<string, Warning>()
  readonly #clock: Clock
  readonly #shared: SharedWarnings | null

  constructor(clock: Clock, shared: SharedWarnings | null = null) {
    this.#clock = clock
    this.#shared = shared
  }

  raise(name: string, facts: Facts): void {
    const warning = { since: this.find(name)?.since ?? this.#clock.now(), facts }
    this.#raised.set(name, warning)
    this.#shared?.raise(name, warning)
  }

  clear(name: string): void {
    this.#raised.delete(name)
    this.#shared?.clear(name)
  }

  /** Returns the state of the last `read`, with the later changes of this process. */
  find(name: string): Warning | undefined {
    return this.#raised.get(name)
  }

  async read(): Promise<void> {
    if (this.#shared) this.#raised = await this.#shared.read()
  }
}
