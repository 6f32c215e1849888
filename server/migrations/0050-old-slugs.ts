import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Other slugs that also lead to an event. */
export const oldSlugs: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table old_slugs (
          slug text not null primary key,
          event_id integer not null references events (id) on delete cascade)`,
      )
      .execute(db)
    await sql.raw('create index old_slugs_by_event on old_slugs (event_id)').execute(db)
  },
}
