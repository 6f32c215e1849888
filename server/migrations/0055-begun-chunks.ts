import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The chunks that are counted in `chunked_uploads.received_bytes`, so that one that is sent again is not counted twice. */
export const begunChunks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `create table begun_chunks (
    upload_id text not null references chunked_uploads (id) on delete cascade,
    chunk_index integer not null,
    primary key (upload_id, chunk_index))`,
  `insert into begun_chunks (upload_id, chunk_index)
    select upload_id, chunk_index from received_chunks
    where upload_id in (select id from chunked_uploads where guest_id is not null)`,
]
