import type { Logger } from 'pino'
import type { OpenDatabase } from '../database/opened-database.ts'
import type { Clock } from '../time/clock.ts'

type Facts = Record<string, string | number>

export type Warning = { since: number; facts: Facts }

export type SharedWarnings = {
  /** Writes asynchronously, in the order of the calls. */
  raise: (name: string, warning: Warning) => void
  clear: (name: string) => void
  /** Returns all current warnings after earlier writes are done. */
  read: () => Promise<Map<string, Warning>>
}

/** Warnings of background work for operators. Each warning stays until it is cleared. */
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

  /** Returns the warning as the last `read` found it, or as this process has changed it since. */
  find(name: string): Warning | undefined {
    return this.#raised.get(name)
  }

  async read(): Promise<void> {
    if (this.#shared) this.#raised = await this.#shared.read()
  }
}

export type WarningTable = {
  name: string
  since: number
  facts: string
}

declare module '../database/tables.ts' {
  interface Tables {
    warnings: WarningTable
  }
}

/** Returns null on SQLite, because there is only one node. */
export function createSharedWarnings({ kind, db }: OpenDatabase, log: Logger): SharedWarnings | null {
  if (kind === 'sqlite') return null
  let writing = Promise.resolve()
  const write = (work: () => Promise<unknown>) => {
    writing = writing.then(work).then(
      () => undefined,
      (err) => log.warn({ err }, 'Could not share a warning with other nodes'),
    )
  }

  return {
    raise(name, warning) {
      const { since } = warning
      const facts = JSON.stringify(warning.facts)
      const row = db.insertInto('warnings').values({ name, since, facts })
      write(() => row.onConflict((conflict) => conflict.column('name').doUpdateSet({ facts })).execute())
    },

    clear: (name) => write(() => db.deleteFrom('warnings').where('name', '=', name).execute()),

    async read() {
      await writing
      const rows = await db.selectFrom('warnings').selectAll().execute()
      return new Map(rows.map(({ name, since, facts }) => [name, { since, facts: JSON.parse(facts) } as Warning]))
    },
  }
}
