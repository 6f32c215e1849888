import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const repair: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Finds the contents that an event has already.
  'create index photos_by_content on photos (event_id, content_hash, id)',

  // Images of unknown size, and files that are not images: few rows, which are counted whenever the status of the
  // repair is read.
  `create index photos_without_size on photos (id) where media_type = 'image' and (width is null or height is null)`,
  `create index photos_not_images on photos (id) where media_type <> 'image'`,

  // One row for each kind of repair: the process that runs it, and the result of the last run.
  `create table photo_repairs (
    name text not null primary key,
    holder text, lease_until bigint not null,
    success integer not null, failed integer not null, started_at bigint, finished_at bigint)`,
  `insert into photo_repairs (name, lease_until, success, failed) values ('dimensions', 0, 0, 0)`,
]
