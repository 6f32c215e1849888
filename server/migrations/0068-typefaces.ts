import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The typeface of the gallery; null for that of its theme. */
export const typefaces: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table events add column typeface text').execute(db)
  },
}
