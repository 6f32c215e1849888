import type { OpenDatabase } from '../database/opened-database.ts'
import type { Log } from '../log.ts'
import type { SharedWarnings, Warning } from './warnings.ts'

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

/** Returns null on SQLite, which has only one node. */
export function createSharedWarnings({ kind, db }: OpenDatabase, log: Log): SharedWarnings | null {
  if (kind === 'sqlite') return null
  let writing = Promise.resolve()
  const write = (work: () => Promise<unknown>) => {
    writing = writing.then(work).then(
      () => undefined,
      (err) => log.warn({ err }, 'A warning could not be told to the other nodes'),
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
