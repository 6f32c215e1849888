import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For imports of other installations (`picpeak/`). */
export const arrivingEvents: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Which row of another installation has become which row here.
  `create table moved_rows (
    source text not null, kind text not null, source_id text not null, target_id text not null,
    primary key (source, kind, source_id))`,

  // Photos whose files are stored and whose event does not exist yet: the columns of \`photos\`, where the id is that
  // of the source.
  `create table arriving_photos (
    event_id integer not null, id integer not null,
    filename text not null, original_filename text not null, source_filename text not null,
    name_sort text not null, search_text text not null,
    media_type text not null, mime_type text not null, size_bytes bigint not null,
    content_hash text not null, crc32 bigint not null,
    width integer, height integer, duration real, captured_at bigint, thumbhash text,
    thumbnail_filename text, thumbnail_size_bytes integer, thumbnail_sha256 text,
    still_filename text, still_size_bytes bigint,
    type text, category_id integer, auto_categorized integer not null,
    visibility text not null, awaits_review integer not null,
    processing_status text not null, processing_error text,
    uploaded_at bigint not null, uploaded_by text not null, guest_id text, manual_position bigint,
    updated_at bigint not null, location text,
    primary key (event_id, id))`,
  'create index arriving_photos_by_file on arriving_photos (event_id, filename)',
]
