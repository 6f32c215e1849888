import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const exportChoices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // JSON: which marks were asked for, so that the same can be asked again; null for those of before.
  'alter table mark_exports add column choice text',
]
