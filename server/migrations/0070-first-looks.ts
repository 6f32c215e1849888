import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const firstLooks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table events add column has_first_look integer not null default 0',
  `create table first_looks (
    event_id integer primary key references events (id) on delete cascade,
    about_count integer not null, complete_on text not null, completed_at bigint)`,
  'alter table thread_notices add column photos_asked_at bigint',
]
