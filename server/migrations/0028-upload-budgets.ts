import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const uploadBudgets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // When the upload was created, or a chunk was begun or received.
  'alter table chunked_uploads add column active_at bigint not null default 0',
  'update chunked_uploads set active_at = created_at',
  // The sum of the chunks of a guest that were begun; 0 for operators.
  'alter table chunked_uploads add column received_bytes bigint not null default 0',
  `update chunked_uploads set received_bytes =
    (select count(*) * 10485760 from received_chunks where received_chunks.upload_id = chunked_uploads.id)
    where guest_id is not null`,
  'create index chunked_uploads_by_status on chunked_uploads (event_id, status)',
  'drop index chunked_uploads_by_event',
]
