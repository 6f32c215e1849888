import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const captureOrder: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`drop index photos_by_capture`.execute(db)
    // Photos of the same second are ordered by name.
    await sql`create index photos_by_capture
      on photos (event_id, captured_at, name_sort, id, visibility, category_id, type)`.execute(db)
  },
}
