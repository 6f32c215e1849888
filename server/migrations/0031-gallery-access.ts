import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const galleryAccess: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table gallery_passwords (
      event_id integer primary key references events (id) on delete cascade,
      sealed_password text not null
    )`.execute(db)
    await sql`alter table events add column guest_session_days integer not null default 1`.execute(db)
  },
}
