import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../platform/database/transaction.ts'

/** Private notes become threads with the same ids. Comments keep their rows, and each gets a thread. */
export const threads: Migration = {
  async up(db: Kysely<unknown>) {
    const now = Date.now()
    for (const statement of tables) await sql.raw(statement).execute(db)
    await sql`insert into threads (id, event_id, photo_id, guest_id, kind, text, created_at, settled_at, settled_by)
      select id, event_id, coalesce(photo_id, (select id from trashed_photos where id = trashed_photo_id)),
        guest_id, 'note', note_text, created_at, done_at, done_by
      from guest_notes`.execute(db)
    await continueIds(db)
    // Comments in galleries that are still open wait for an operator, others are settled.
    await sql`insert into threads (event_id, photo_id, guest_id, kind, feedback_id, created_at, settled_at)
      select event_id, photo_id, guest_id, 'comment', id, created_at,
        (select case when is_archived = 1 or expires_at <= ${now} then cast(${now} as bigint) end from events where events.id = event_id)
      from (select event_id, photo_id, guest_id, id, created_at from feedback where kind = 'comment'
        union all select event_id, photo_id, guest_id, id, created_at from trashed_feedback where kind = 'comment') as comments
      order by created_at, id`.execute(db)
    await sql`drop table guest_notes`.execute(db)
    for (const statement of indexes) await sql.raw(statement).execute(db)
  },
}

/** Ids of deleted notes are not given again. */
async function continueIds(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`select setval(pg_get_serial_sequence('threads', 'id'), last_value, is_called)
      from guest_notes_id_seq`.execute(db)
    return
  }
  await sql`delete from sqlite_sequence where name = 'threads'`.execute(db)
  await sql`insert into sqlite_sequence (name, seq)
    select 'threads', seq from sqlite_sequence where name = 'guest_notes'`.execute(db)
}

const tables = [
  // `text` is null for a comment, and after it was taken back. The text of a comment is in `feedback`.
  // The mark of a pin or a box is in millionths of the upright picture.
  `create table threads (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    photo_id integer, guest_id text not null, kind text not null, feedback_id integer,
    version integer not null default 1, number integer, x integer, y integer, w integer, h integer,
    text text, created_at bigint not null, settled_at bigint,
    settled_by integer references users (id) on delete set null)`,
  // The author is a guest, or else an operator.
  `create table thread_messages (
    id integer primary key autoincrement,
    thread_id integer not null references threads (id) on delete cascade,
    event_id integer not null references events (id) on delete cascade,
    guest_id text, user_id integer references users (id) on delete set null,
    is_visible integer not null, text text not null, created_at bigint not null)`,
]

const indexes = [
  'create index threads_by_event on threads (event_id, id)',
  'create index threads_open on threads (event_id, id) where settled_at is null',
  `create index threads_waiting on threads (event_id) where settled_at is null and kind <> 'comment'`,
  'create index threads_by_photo on threads (photo_id)',
  'create index threads_by_guest on threads (event_id, guest_id, id)',
  'create unique index threads_by_feedback on threads (feedback_id)',
  'create index threads_by_time on threads (created_at)',
  'create index threads_by_account on threads (settled_by)',
  'create index thread_messages_by_thread on thread_messages (thread_id, id)',
  'create index thread_messages_by_guest on thread_messages (event_id, guest_id)',
  'create index thread_messages_by_account on thread_messages (user_id)',
]
