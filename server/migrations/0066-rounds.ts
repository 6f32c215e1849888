import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const rounds: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table events add column has_package integer not null default 0',
  `create table packages (
    event_id integer primary key references events (id) on delete cascade,
    purpose text not null, included integer not null, minimum integer not null, maximum integer,
    extra_text text not null, due_on text, time_zone text not null, locks_on_submission integer not null)`,
  // `ended_at`: the package was removed.
  `create table rounds (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    guest_id text not null, number integer not null, state text not null, revision integer not null,
    included integer not null, minimum integer not null, maximum integer, due_on text, message text,
    submitted_at bigint, locked_at bigint, locked_by integer references users (id) on delete set null,
    asked_at bigint, asked_message text, reminded_at bigint, ended_at bigint)`,
  'create unique index rounds_once on rounds (event_id, guest_id, number)',
  'create index rounds_by_event on rounds (event_id, id)',
  'create index rounds_by_account on rounds (locked_by)',
  'alter table selections add column round_id integer references rounds (id) on delete set null',
  'alter table selections add column round_number integer',
  'alter table selections add column snapshot text',
  'alter table selections add column people text',
  'alter table selections add column content_sha256 text',
  'create index selections_by_round on selections (round_id)',
]
