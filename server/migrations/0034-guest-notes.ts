import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const guestNotes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table events add column ask_guest_name integer not null default 0',
  'alter table events add column allow_notes integer not null default 0',

  // Without a photo, a note is about the whole gallery. `done_at` is null while it is open.
  `create table guest_notes (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    photo_id integer references photos (id) on delete set null,
    guest_id text not null, note_text text not null, created_at bigint not null,
    done_at bigint, done_by integer references users (id) on delete set null)`,
  'create index guest_notes_by_guest on guest_notes (event_id, guest_id, id)',
  'create index guest_notes_by_event on guest_notes (event_id, id)',
  'create index guest_notes_open on guest_notes (event_id, id) where done_at is null',
  'create index guest_notes_by_photo on guest_notes (photo_id)',
  'create index guest_notes_by_account on guest_notes (done_by)',
]
