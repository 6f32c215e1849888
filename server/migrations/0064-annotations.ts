import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const annotations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table events add column allow_annotations integer not null default 0`.execute(db)
  },
}
