import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const photoOrder: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Files that were chosen together keep their order in `uploaded_at`.
  'alter table chunked_uploads add column batch text',
  'alter table chunked_uploads add column batch_index integer',
  'alter table chunked_uploads add column batch_started_at bigint',
  'create index chunked_uploads_by_batch on chunked_uploads (event_id, batch) where batch is not null',

  // The guest who uploaded the photo. No reference: guests without a name have no row.
  'alter table photos add column guest_id text',

  // The place in the order by hand. Photos without one come last, in upload order.
  'alter table photos add column manual_position bigint',
  `create index photos_by_hand
    on photos (event_id, manual_position, uploaded_at, id, visibility, category_id, type)`,
]
