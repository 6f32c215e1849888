import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const versions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table events add column keep_versions integer not null default 0',
  'alter table chunked_uploads add column adds_version integer not null default 0',
  // Photos have no foreign key here, so that their versions and decisions stay while they are in the trash.
  `create table photo_versions (
    event_id integer not null references events (id) on delete cascade,
    photo_id integer not null, number integer not null,
    filename text not null, original_filename text not null, media_type text not null, mime_type text not null,
    size_bytes bigint not null, content_hash text not null, crc32 bigint not null,
    width integer, height integer, duration real,
    thumbhash text, thumbnail_filename text, thumbnail_size_bytes integer, thumbnail_sha256 text,
    still_filename text, still_size_bytes bigint, still_crc32 bigint, still_sha256 text,
    from_at bigint not null, until_at bigint not null, next_note text, deleted_at bigint,
    primary key (photo_id, number))`,
  'create index photo_versions_by_event on photo_versions (event_id, content_hash)',
  `create table version_decisions (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    photo_id integer not null, version integer not null, content_hash text not null,
    guest_id text, decision text not null, decided_at bigint not null)`,
  'create unique index version_decisions_once on version_decisions (photo_id, version, guest_id)',
  'create index version_decisions_by_guest on version_decisions (event_id, guest_id)',
]
