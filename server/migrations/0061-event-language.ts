import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The language of the gallery and of mails to the customer; null for the default. */
export const eventLanguage: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table events add column language text').execute(db)
  },
}
