import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const exportsOfMarks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `create table mark_exports (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    user_id integer not null references users (id) on delete cascade,
    format text not null, photo_count integer not null, marks text not null, created_at bigint not null)`,
  'create index mark_exports_in_order on mark_exports (event_id, user_id, id)',
]
