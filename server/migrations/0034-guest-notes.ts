import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const guestNotes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = ['alter table events add column ask_guest_name integer not null default 0']
