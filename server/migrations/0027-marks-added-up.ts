import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const marksAddedUp: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statement).execute(db)
  },
}

/** All counters that are summed over the events of an owner, read from the index instead of row by row. */
const statement = `create index photo_marks_added_up on photo_marks (
  event_id, feedback_count, rating_count, red, yellow, green, blue, purple, like_count, favorite_count, comment_count)`
