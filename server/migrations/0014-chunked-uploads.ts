import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const chunkedUploads: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Uploads of operators and guests. `problem` is the error code that ended a failed upload.
  `create table chunked_uploads (
    id text not null primary key,
    event_id integer not null references events (id) on delete cascade,
    user_id integer references users (id) on delete cascade,
    guest_id text,
    filename text not null, size_bytes bigint not null, replaces_photo_id integer,
    status text not null, problem text,
    photo_id integer references photos (id) on delete set null,
    created_at bigint not null, expires_at bigint not null)`,
  'create index chunked_uploads_by_event on chunked_uploads (event_id)',
  'create index chunked_uploads_by_user on chunked_uploads (user_id)',
  'create index chunked_uploads_by_photo on chunked_uploads (photo_id)',
  'create index chunked_uploads_by_expiry on chunked_uploads (expires_at)',

  // A row says that all bytes of the chunk are durable, and what they are.
  `create table received_chunks (
    upload_id text not null references chunked_uploads (id) on delete cascade,
    chunk_index integer not null,
    sha256 text not null, crc32 bigint not null,
    primary key (upload_id, chunk_index))`,
]
