import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const location: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // What is found in photos that were there before is found by a job, or at their first demand.
  `create table photo_locations (
    photo_id integer primary key references photos (id) on delete cascade,
    content_hash text not null, patches text, etag text not null, crc32 bigint not null)`,
]
