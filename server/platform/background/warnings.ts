import type { Clock } from '../clock.ts'

type Facts = Record<string, string | number>

export type Warning = { since: number; facts: Facts }

/** Where nodes keep what any of them has to tell. */
export type SharedWarnings = {
  /** In the order of the calls, and later: nobody waits for it. */
  raise: (name: string, warning: Warning) => void
  clear: (name: string) => void
  /** All that stand, once what was called before is done. */
  read: () => Promise<Map<string, Warning>>
}

/** What background work has to tell the operator, until it goes well again: of this process, or of all nodes. */
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

  /** As it was when it was read last; what this process has said itself is always among it. */
  find(name: string): Warning | undefined {
    return this.#raised.get(name)
  }

  /** What the other nodes have said too. */
  async read(): Promise<void> {
    if (this.#shared) this.#raised = await this.#shared.read()
  }
}
