import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const listVersions: Migration = {
  async up(db: Kysely<unknown>) {
    // Grows with each change of a photo that its lists show.
    await sql`alter table event_photo_totals add column list_version bigint not null default 0`.execute(db)
  },
}
