import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const imports: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // A name can have any bytes, and can be too long for an index, so the digest identifies a file.
  `create table imported_files (
    path_digest text not null primary key,
    event_id integer not null references events (id) on delete cascade,
    path text not null, size_bytes bigint not null, modified_at bigint not null, content_hash text,
    problem text, is_kept integer not null, noted_at bigint not null)`,
  'create index imported_files_by_event on imported_files (event_id, is_kept)',
  'create index imported_files_refused on imported_files (noted_at) where problem is not null',
]
