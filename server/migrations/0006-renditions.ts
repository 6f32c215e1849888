import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const renditions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // One row for each request and source. Renditions of a replaced file are no longer used.
  `create table photo_renditions (
    photo_id integer not null references photos (id) on delete cascade,
    content_hash text not null, variant text not null, bound_px integer not null, format text not null,
    event_id integer not null references events (id) on delete cascade,
    filename text not null, width integer not null, height integer not null,
    size_bytes bigint not null, sha256 text not null, crc32 bigint not null, created_at bigint not null,
    primary key (photo_id, content_hash, variant, bound_px, format))`,
  'create index photo_renditions_by_event on photo_renditions (event_id)',
]
