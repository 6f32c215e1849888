import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const liveGuests: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // What guests say of themselves and hand in is of no one photo. SQLite takes no `not null` away: the column is made anew.
  'alter table live_events add column of_photo integer',
  'update live_events set of_photo = photo_id',
  'alter table live_events drop column photo_id',
  'alter table live_events rename column of_photo to photo_id',
]
