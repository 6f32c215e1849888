import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The earlier files of replaced photos, as long as the storage keeps them, so that a replacement can be undone. */
export const replacedFiles: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `create table replaced_files (
    key text not null primary key,
    event_id integer not null references events (id) on delete cascade,
    photo_id integer not null references photos (id) on delete cascade,
    original_filename text not null,
    size_bytes bigint not null,
    replaced_at bigint not null)`,
  'create index replaced_files_by_photo on replaced_files (photo_id, replaced_at)',
  'create index replaced_files_by_event on replaced_files (event_id)',
  'create index replaced_files_by_time on replaced_files (replaced_at)',
]
