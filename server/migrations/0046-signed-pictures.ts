import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const signedPictures: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table events add column allow_signed_pictures integer not null default 0').execute(db)
  },
}
