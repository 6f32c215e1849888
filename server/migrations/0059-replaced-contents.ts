import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Null for files that were replaced before. */
export const replacedContents: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table replaced_files add column content_hash text').execute(db)
  },
}
