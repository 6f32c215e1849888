import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const covers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of columns) await sql.raw(`alter table events add column ${column}`).execute(db)
  },
}

const columns = [
  "cover_layout text not null default 'full'",
  'cover_focus_x integer',
  'cover_focus_y integer',
  'cover_facts text',
]
