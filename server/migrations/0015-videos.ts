import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const videos: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table photos add column still_filename text',
  'alter table photos add column still_size_bytes bigint',

  // One for each video that has still to be looked into; a replace begins anew with the other file.
  `create table video_jobs (
    photo_id integer not null primary key references photos (id) on delete cascade,
    content_hash text not null, attempts integer not null, claimed_until bigint not null)`,
]
