import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const repair: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Which contents an event has already.
  'create index photos_by_content on photos (event_id, content_hash, id)',

  // Images whose size is not known, and what is no image: few, and counted whenever somebody looks at the repair.
  `create index photos_without_size on photos (id) where media_type = 'image' and (width is null or height is null)`,
  `create index photos_not_images on photos (id) where media_type <> 'image'`,

  // One row for each repair that there is: who is at it, and what the last run has done.
  `create table photo_repairs (
    name text not null primary key,
    holder text, lease_until bigint not null,
    success integer not null, failed integer not null, started_at bigint, finished_at bigint)`,
  `insert into photo_repairs (name, lease_until, success, failed) values ('dimensions', 0, 0, 0)`,
]
