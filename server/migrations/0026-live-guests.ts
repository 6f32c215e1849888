import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const liveGuests: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Names and submitted selections of guests belong to no photo. SQLite cannot drop `not null`, so the column is
  // created again.
  'alter table live_events add column of_photo integer',
  'update live_events set of_photo = photo_id',
  'alter table live_events drop column photo_id',
  'alter table live_events rename column of_photo to photo_id',
]
