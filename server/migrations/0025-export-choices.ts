import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const exportChoices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // JSON: the requested marks, so that the export can be repeated; null for earlier exports.
  'alter table mark_exports add column choice text',
]
