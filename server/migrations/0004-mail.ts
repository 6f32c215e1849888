import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const mail: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table events add column send_email integer not null default 1',
  // The expires_at of the last warning. Another one causes a new warning.
  'alter table events add column expiry_warned_for bigint',
  `create table mails (
    id integer primary key autoincrement,
    kind text not null, event_id integer references events (id) on delete cascade,
    recipient text not null, reply_to text, sender_name text,
    subject text not null, text_body text not null, html_body text not null, credential text,
    status text not null, attempts integer not null, next_attempt_at bigint, last_error text,
    created_at bigint not null, sent_at bigint)`,
  'create index mails_due on mails (next_attempt_at)',
  'create index mails_by_event on mails (event_id)',
  'create index mails_by_time on mails (created_at)',
]
