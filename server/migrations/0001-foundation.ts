import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from '../platform/database/tables.ts'
import { isPostgres } from '../platform/database/transaction.ts'

/** Times are epoch milliseconds, booleans 0 and 1, structures JSON text: both databases store the same. */
export const foundation: Migration = {
  async up(db: Kysely<unknown>) {
    const tables = [...access, ...settings, ...(isPostgres(db as Database) ? eventsInPostgres : events), ...photos]
    for (const statement of tables) await sql.raw(statement).execute(db)
    for (const statement of seeds) await sql.raw(statement).execute(db)
  },
}

const access = [
  `create table users (
    id integer primary key autoincrement,
    username text not null, username_key text not null unique,
    email text not null, email_key text not null unique,
    password_hash text not null, role text not null,
    must_change_password integer not null, is_active integer not null, session_version integer not null,
    created_at bigint not null, last_login_at bigint)`,
  `create table api_tokens (
    id integer primary key autoincrement,
    user_id integer not null references users (id) on delete cascade,
    name text not null, token_hash text not null unique, token_preview text not null, scope text not null,
    expires_at bigint, last_used_at bigint, revoked_at bigint, created_at bigint not null)`,
  'create index api_tokens_by_user on api_tokens (user_id)',
  'create table revoked_sessions (token_digest text not null primary key, expires_at bigint, revoked_at bigint not null)',
  `create table sign_in_failures (
    lock_key text not null primary key, failures integer not null,
    window_started_at bigint not null, locked_until bigint)`,
]

const settings = [
  'create table settings (key text not null primary key, value text not null, updated_at bigint not null)',
]

const switches = [
  'allow_downloads',
  'watermark_downloads',
  'strip_location',
  'moderate_uploads',
  'feedback_enabled',
  'allow_ratings',
  'allow_color_labels',
  'allow_comments',
  'allow_likes',
  'allow_favorites',
  'moderate_comments',
  'show_feedback_to_guests',
  'require_guest_name',
]

const events = [
  `create table event_types (
    slug_prefix text not null primary key, name text not null, emoji text not null, theme_preset text not null,
    sort_order integer not null)`,
  `create table events (
    id integer primary key autoincrement,
    slug text not null unique, share_token text not null, access_key text not null,
    event_type text not null, event_name text not null, event_date text,
    customer_name text, customer_email text, customer_phone text, admin_email text, welcome_message text not null,
    require_password integer not null, password_hash text,
    expires_at bigint not null, photo_cap integer not null, theme_preset text not null, header_style text not null,
    is_draft integer not null, is_archived integer not null, archived_at bigint,
    allow_user_uploads integer not null, upload_category_id integer references categories (id),
    default_photo_sort text not null, cover_photo_id integer,
    watermark_text text, download_max_px integer, reveal_at bigint,
    ${switches.map((name) => `${name} integer not null`).join(', ')},
    total_views integer not null, total_downloads integer not null,
    created_at bigint not null, updated_at bigint not null,
    created_by integer references users (id) on delete set null)`,
  'create index events_by_creator on events (created_by)',
  `create table event_members (
    event_id integer not null references events (id) on delete cascade,
    user_id integer not null references users (id) on delete cascade,
    primary key (event_id, user_id))`,
  'create index event_members_by_user on event_members (user_id)',
  `create table categories (
    id integer primary key autoincrement,
    event_id integer references events (id) on delete cascade,
    name text not null, slug text not null, allow_downloads integer not null, sort_order integer not null,
    created_at bigint not null)`,
  'create index categories_by_event on categories (event_id, sort_order, id)',
]

/**
 * Events refer to a category, and categories to their event. In PostgreSQL a table must exist before others refer to
 * it.
 */
const eventsInPostgres = [
  ...events.map((statement) =>
    statement.replace('upload_category_id integer references categories (id)', 'upload_category_id integer'),
  ),
  'alter table events add foreign key (upload_category_id) references categories (id)',
]

const photos = [
  `create table photos (
    id integer primary key autoincrement,
    event_id integer not null references events (id) on delete cascade,
    filename text not null, original_filename text not null, source_filename text not null,
    media_type text not null, mime_type text not null, size_bytes bigint not null,
    content_hash text not null, crc32 bigint not null,
    width integer, height integer, duration real, captured_at bigint, thumbhash text,
    thumbnail_filename text, thumbnail_size_bytes integer, thumbnail_sha256 text,
    type text, category_id integer references categories (id) on delete set null, auto_categorized integer not null,
    visibility text not null, processing_status text not null, processing_error text,
    uploaded_at bigint not null, uploaded_by text not null, updated_at bigint not null)`,
  'create unique index photos_by_filename on photos (event_id, filename)',
  'create index photos_in_order on photos (event_id, uploaded_at, id)',
  'create index photos_visible_in_order on photos (event_id, visibility, uploaded_at, id)',
  'create index photos_by_category on photos (category_id)',
  `create table event_photo_totals (
    event_id integer not null primary key references events (id) on delete cascade,
    photo_count integer not null, visible_count integer not null, total_size bigint not null)`,
  'create table retired_files (key text not null primary key, retired_at bigint not null)',
  'create index retired_files_by_time on retired_files (retired_at)',
]

const types = [
  ['wedding', 'Wedding', '💍', 'linen'],
  ['birthday', 'Birthday', '🎂', 'meadow'],
  ['corporate', 'Corporate', '🏢', 'slate'],
  ['family', 'Family', '👪', 'coast'],
  ['portrait', 'Portrait', '📷', 'noir'],
  ['other', 'Other', '✨', 'classic'],
]
const categories = ['Ceremony', 'Portraits', 'Party', 'Guest uploads']

const seeds = [
  ...types.map(
    (
      [prefix, name, emoji, theme],
      index,
    ) => `insert into event_types (slug_prefix, name, emoji, theme_preset, sort_order)
      values ('${prefix}', '${name}', '${emoji}', '${theme}', ${index})`,
  ),
  ...categories.map(
    (name, index) => `insert into categories (event_id, name, slug, allow_downloads, sort_order, created_at)
      values (null, '${name}', '${name.toLowerCase().replace(' ', '-')}', 1, ${index}, ${Date.UTC(2026, 0, 1)})`,
  ),
]
