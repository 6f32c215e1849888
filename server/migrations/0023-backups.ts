import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const backups: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // One row for each completed run, successful or not. The manifest of a backup describes the backup itself.
  `create table backups (
    id integer primary key autoincrement,
    name text, started_at bigint not null, finished_at bigint not null, problem text,
    files bigint not null, bytes bigint not null, copied_bytes bigint not null,
    missing integer not null, damaged integer not null,
    verified_at bigint, verified_problems integer)`,
  'create index backups_by_name on backups (name)',
]
