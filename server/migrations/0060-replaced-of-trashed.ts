import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The rows refer to the event alone, so that a photo in the trash keeps its earlier files. */
export const replacedOfTrashed: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const columns = 'key, event_id, photo_id, original_filename, size_bytes, replaced_at, content_hash'
const statements = [
  'alter table replaced_files rename to former_replaced_files',
  `create table replaced_files (
    key text not null primary key,
    event_id integer not null references events (id) on delete cascade,
    photo_id integer not null,
    original_filename text not null,
    size_bytes bigint not null,
    replaced_at bigint not null,
    content_hash text)`,
  `insert into replaced_files (${columns}) select ${columns} from former_replaced_files`,
  'drop table former_replaced_files',
  'create index replaced_files_by_photo on replaced_files (photo_id, replaced_at)',
  'create index replaced_files_by_event on replaced_files (event_id)',
  'create index replaced_files_by_time on replaced_files (replaced_at)',
]
