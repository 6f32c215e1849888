import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const looks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // The index alone shows which profiles the pictures of an event have, and which photos have a picture of each.
  'create index photo_renditions_by_look on photo_renditions (event_id, variant, format, bound_px, photo_id)',
  'drop index photo_renditions_by_event',
]
