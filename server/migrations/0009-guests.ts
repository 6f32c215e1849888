import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const guests: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // The id is the guest's `gid`. A merged guest names the one whose marks its sessions now read and write.
  `create table guests (
    id text not null primary key,
    event_id integer not null references events (id) on delete cascade,
    name text, email text,
    merged_into text references guests (id) on delete cascade,
    created_at bigint not null, updated_at bigint not null)`,
  'create index guests_by_event on guests (event_id, merged_into)',
  'create index guests_by_merger on guests (merged_into)',

  // The row of a used link is deleted. The access key is that of the event when the link was made; a new key makes the
  // link invalid. Its session has the same customer as the session that requested the link.
  `create table guest_links (
    token_hash text not null primary key,
    event_id integer not null references events (id) on delete cascade,
    guest_id text not null, access_key text not null, customer_id integer, customer_version integer,
    expires_at bigint not null)`,
  'create index guest_links_by_event on guest_links (event_id)',
  'create index guest_links_by_expiry on guest_links (expires_at)',

  `create table selections (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    guest_id text not null, number integer not null,
    note text, photo_ids text not null, photo_count integer not null, created_at bigint not null)`,
  'create unique index selections_once on selections (event_id, guest_id, number)',
  'create index selections_by_event on selections (event_id, id)',

  // A gallery can be requested by its share token alone.
  'create index events_by_share_token on events (share_token)',
]
