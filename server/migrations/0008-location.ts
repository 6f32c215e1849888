import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const location: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // For older photos, a job fills in the location, or the first request that needs it.
  `create table photo_locations (
    photo_id integer primary key references photos (id) on delete cascade,
    content_hash text not null, patches text, etag text not null, crc32 bigint not null)`,
]
