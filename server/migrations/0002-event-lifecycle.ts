import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const eventLifecycle: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // When the scheduler announced the expiry; null again after expires_at is moved to a later time.
  'alter table events add column expired_at bigint',
  'create index events_by_expiry on events (expires_at)',
  'create table deleted_events (event_id integer not null primary key, deleted_at bigint not null)',
  `create table announcements (
    id integer primary key autoincrement, type text not null, data text not null, created_at bigint not null)`,
  'create index announcements_by_time on announcements (created_at)',
]
