import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const moderation: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Names and addresses are the guest's, not the mark's.
  `insert into guests (id, event_id, name, email, merged_into, created_at, updated_at)
    select guest_id, event_id, max(guest_name), max(guest_email), null, min(created_at), max(updated_at) from feedback
    where guest_name is not null and guest_id not in (select id from guests) group by guest_id, event_id`,
  'alter table feedback drop column guest_name',
  'alter table feedback drop column guest_email',
  // When an operator approved or hid it. Invisible feedback without this time waits for approval.
  'alter table feedback add column judged_at bigint',

  // All feedback of one guest to one photo, by which the counters change.
  'drop index feedback_by_photo',
  'create index feedback_of_guest on feedback (photo_id, guest_id)',
  `create index comments_by_photo on feedback (photo_id, id) where kind = 'comment'`,
  'create index feedback_by_event on feedback (event_id, id)',
  'create index feedback_not_visible on feedback (event_id, id) where is_visible = 0',

  // Texts and names are joined when the events are read, so that deleted ones are not sent.
  `create table live_events (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    type text not null, photo_id integer not null, feedback_id integer, guest_id text,
    data text not null, created_at bigint not null)`,
  'create index live_events_by_event on live_events (event_id, id)',
]
