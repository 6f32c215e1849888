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

  // One row for each video that is still to be processed. A replacement starts again with the new file.
  `create table video_jobs (
    photo_id integer not null primary key references photos (id) on delete cascade,
    content_hash text not null, attempts integer not null, claimed_until bigint not null)`,
]
