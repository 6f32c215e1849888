import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const idempotency: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Without a status, the operation is still running, or its process has died and the lease will expire.
  `create table idempotency_keys (
    key_hash text not null primary key, fingerprint text not null,
    holder text not null, lease_until bigint not null,
    status integer, entity_id bigint, note text, created_at bigint not null)`,
  'create index idempotency_keys_by_time on idempotency_keys (created_at)',
]
