import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const marks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `create table feedback (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    photo_id integer not null references photos (id) on delete cascade,
    guest_id text not null, kind text not null,
    rating integer, color_label text, comment_text text,
    guest_name text, guest_email text,
    is_visible integer not null, created_at bigint not null, updated_at bigint not null)`,
  // One row per guest, photo and kind, except comments.
  `create unique index feedback_once on feedback (photo_id, guest_id, kind) where kind <> 'comment'`,
  'create index feedback_by_photo on feedback (photo_id, is_visible)',
  'create index feedback_by_guest on feedback (event_id, guest_id)',

  `create table photo_marks (
    photo_id integer not null primary key references photos (id) on delete cascade,
    event_id integer not null references events (id) on delete cascade,
    uploaded_at bigint not null,
    rating_sum integer not null, rating_count integer not null, average_hundredths integer not null,
    label_mask integer not null,
    red integer not null, yellow integer not null, green integer not null, blue integer not null, purple integer not null,
    like_count integer not null, favorite_count integer not null, comment_count integer not null,
    feedback_count integer not null)`,
  // Serves every filter by marks of guests in the order of the lists, without reading the table.
  'create index photo_marks_in_order on photo_marks (event_id, uploaded_at, photo_id, average_hundredths, label_mask)',

  `create table account_marks (
    user_id integer not null references users (id) on delete cascade,
    photo_id integer not null references photos (id) on delete cascade,
    event_id integer not null references events (id) on delete cascade,
    uploaded_at bigint not null,
    rating integer, color_label text, updated_at bigint not null,
    primary key (user_id, photo_id))`,
  'create index account_marks_in_order on account_marks (event_id, user_id, uploaded_at, photo_id, rating, color_label)',
  'create index account_marks_by_photo on account_marks (photo_id)',
]
