import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const guestRows: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Null: the key belongs to an API token, or was stored before this version.
  'alter table idempotency_keys add column event_id integer',
  'create index idempotency_keys_by_event on idempotency_keys (event_id) where event_id is not null',
  `create index comments_by_event on feedback (event_id) where kind = 'comment'`,
]
