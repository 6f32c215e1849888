import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const threadNotices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // The row of the operators has an empty `guest_id`.
  `create table thread_notices (
    event_id integer not null references events (id) on delete cascade,
    guest_id text not null,
    due_at bigint, since bigint, sent_at bigint,
    asked_email text, confirmed_email text, unsubscribed_at bigint,
    primary key (event_id, guest_id))`,
  'create index thread_notices_due on thread_notices (due_at) where due_at is not null',
]
