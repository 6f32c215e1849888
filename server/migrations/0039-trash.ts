import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Photos in the trash have their own tables, so that no query on `photos` can return them. */
export const trash: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table events add column trashed_at bigint',
  'create index events_in_trash on events (trashed_at) where trashed_at is not null',

  // The columns of `photos`, and when the photo was moved to the trash.
  `create table trashed_photos (
    id integer not null primary key,
    event_id integer not null references events (id) on delete cascade,
    filename text not null, original_filename text not null, source_filename text not null,
    name_sort text not null, search_text text not null,
    media_type text not null, mime_type text not null, size_bytes bigint not null,
    content_hash text not null, crc32 bigint not null,
    width integer, height integer, duration real, captured_at bigint, thumbhash text,
    thumbnail_filename text, thumbnail_size_bytes integer, thumbnail_sha256 text,
    still_filename text, still_size_bytes bigint,
    type text, category_id integer references categories (id) on delete set null, auto_categorized integer not null,
    visibility text not null, awaits_review integer not null,
    processing_status text not null, processing_error text,
    uploaded_at bigint not null, uploaded_by text not null, guest_id text, manual_position bigint,
    updated_at bigint not null, trashed_at bigint not null)`,
  'create index trashed_photos_by_event on trashed_photos (event_id, trashed_at, id)',
  'create index trashed_photos_by_file on trashed_photos (event_id, filename)',
  'create index trashed_photos_by_time on trashed_photos (trashed_at)',
  'create index trashed_photos_by_category on trashed_photos (category_id)',

  `create table trashed_feedback (
    id integer not null primary key,
    event_id integer not null references events (id) on delete cascade,
    photo_id integer not null references trashed_photos (id) on delete cascade,
    guest_id text not null, kind text not null,
    rating integer, color_label text, comment_text text,
    is_visible integer not null, judged_at bigint, created_at bigint not null, updated_at bigint not null)`,
  'create index trashed_feedback_by_photo on trashed_feedback (photo_id)',
  'create index trashed_feedback_by_guest on trashed_feedback (event_id, guest_id)',

  `create table trashed_account_marks (
    user_id integer not null references users (id) on delete cascade,
    photo_id integer not null references trashed_photos (id) on delete cascade,
    event_id integer not null references events (id) on delete cascade,
    uploaded_at bigint not null,
    rating integer, color_label text, updated_at bigint not null,
    primary key (user_id, photo_id))`,
  'create index trashed_account_marks_by_photo on trashed_account_marks (photo_id)',
  'create index trashed_account_marks_by_event on trashed_account_marks (event_id)',

  // A note loses its photo in the trash, and gets it back.
  'alter table guest_notes add column trashed_photo_id integer',
  `create index guest_notes_by_trashed_photo on guest_notes (trashed_photo_id) where trashed_photo_id is not null`,
]
