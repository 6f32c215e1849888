import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const outdatedLinks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table outdated_links (
      event_id integer not null references events (id) on delete cascade,
      token_hash text not null,
      primary key (event_id, token_hash)
    )`.execute(db)
  },
}
