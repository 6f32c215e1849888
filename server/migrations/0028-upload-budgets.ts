import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const uploadBudgets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // When the last chunk was received, and the sum of all received chunks.
  'alter table chunked_uploads add column active_at bigint not null default 0',
  'update chunked_uploads set active_at = created_at',
  'alter table chunked_uploads add column received_bytes bigint not null default 0',
  `update chunked_uploads set received_bytes =
    (select count(*) * 10485760 from received_chunks where received_chunks.upload_id = chunked_uploads.id)`,
]
