import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const rawDownloads: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table events add column allow_raw_downloads integer not null default 0').execute(db)
  },
}
