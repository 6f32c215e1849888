import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { jpeg } from '../media/pictures.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { type PicPeakRow, type PicPeakRows, picpeakTables } from './picpeak-tables.ts'
import { writeZip } from './write-zip.ts'

/** The hash of the password `Velvet-Harbor-26`. */
const bcryptHash = '$2y$04$5qYW1o4cn8m/PALn9.YOru98aNIoahBCmfU8FDjtQZ6tPMrNVteke'
export const picpeakToken = 'pp_live_xWCQ2snMhrQpm1XyMhCklgbtFk98FnTq'
export const shareTokens = {
  wedding: 'a'.repeat(32),
  birthday: 'b'.repeat(32),
  draft: 'c'.repeat(32),
  archived: 'd'.repeat(32),
}

const time = '2026-11-22 15:59:27'
const milliseconds = 1_795_363_170_236

/** Two pictures of a wedding were renamed by PicPeak; one name was read as Latin-1. */
const pictures: Array<{ event: string; file: string; name: string | null; seed: number }> = [
  { event: 'wedding-ana-ben', file: 'Ana_Ben_vows_0001.jpg', name: 'BlumenstrauÃ\x9f & Ring (1).jpg', seed: 1 },
  { event: 'wedding-ana-ben', file: 'Ana_Ben_vows_0002.jpg', name: 'DSC_1001.jpg', seed: 2 },
  { event: 'wedding-ana-ben', file: 'Ana_Ben_0003.jpg', name: null, seed: 3 },
  { event: 'birthday-lena', file: 'Lena_0001.jpg', name: 'DSC_1.jpg', seed: 4 },
  { event: 'birthday-lena', file: 'Lena_0002.jpg', name: 'DSC_2.jpg', seed: 5 },
]

const event = (id: number, slug: string, columns: PicPeakRow): PicPeakRow => ({
  id,
  slug,
  event_type: 'wedding',
  event_name: slug,
  event_date: '2026-06-20',
  customer_name: 'Ana',
  customer_email: 'ana@example.com',
  password_hash: bcryptHash,
  require_password: 0,
  share_link: `/gallery/${slug}/${columns.share_token}`,
  created_at: '2026-11-22T15:59:26.253Z',
  expires_at: '2099-06-20T00:00:00.000Z',
  is_active: 1,
  is_archived: 0,
  is_draft: 0,
  allow_user_uploads: 0,
  allow_downloads: 1,
  watermark_downloads: 0,
  default_photo_sort: 'capture_date_asc',
  client_access_enabled: 0,
  created_by: 1,
  ...columns,
})

const photo = (
  id: number,
  eventId: number,
  { event: folder, file, name }: (typeof pictures)[number],
  columns = {},
) => ({
  id,
  event_id: eventId,
  filename: file,
  path: `${folder}/${file}`,
  type: 'individual',
  uploaded_by: 'admin',
  uploaded_at: time,
  category_id: null,
  media_type: 'image',
  original_filename: name,
  captured_at: milliseconds,
  visibility: 'visible',
  ...columns,
})

const feedback = (id: number, photoId: number, columns: PicPeakRow): PicPeakRow => ({
  id,
  event_id: photoId < 10 ? 5 : 6,
  photo_id: photoId,
  guest_id: null,
  is_approved: 1,
  is_hidden: 0,
  created_at: milliseconds + id,
  updated_at: milliseconds + id,
  ...columns,
})

function createRows(): PicPeakRows {
  const [first, second, third, fourth, fifth] = pictures as [Picture, Picture, Picture, Picture, Picture]
  return {
    migrations: [{ id: 1, filename: '001_init.js', applied_at: time }],
    roles: [
      { id: 1, name: 'super_admin' },
      { id: 2, name: 'editor' },
    ],
    admin_users: [
      { id: 1, username: 'picpeak', email: 'studio@example.com', role_id: 1, ...account, last_login: milliseconds },
      { id: 2, username: 'second', email: 'second@example.com', role_id: 2, ...account, is_active: 0 },
    ],
    api_tokens: [
      {
        id: 1,
        name: 'Lightroom',
        hashed_token: createHash('sha256').update(picpeakToken).digest('hex'),
        scopes: 'read,write',
        created_by: 1,
        created_at: time,
        preview: 'xWCQ2snM',
      },
    ],
    webhooks: [
      {
        id: 1,
        name: 'Notify',
        url: 'https://hooks.example.com/picpeak',
        secret: 'whsec_gL6mc9CFWLbeK9bCHVu0Sm8EDGyoTqX5',
        events: '["photo.uploaded","event.published","photo.rotated"]',
        active: 1,
        filter: '{"data.event.event_type":["wedding"]}',
        template: '{"text":"${data.event.event_name}"}',
        created_at: time,
      },
    ],
    app_settings: [
      { id: 1, setting_key: 'default_language', setting_value: '"de"' },
      { id: 2, setting_key: 'event_require_customer_name', setting_value: 'false' },
      { id: 3, setting_key: 'event_require_admin_email', setting_value: '"perhaps"' },
      { id: 4, setting_key: 'thumbnail_width', setting_value: '300' },
    ],
    event_types: [
      { id: 1, name: 'Wedding', slug_prefix: 'wedding', emoji: '💒', theme_preset: 'elegantWedding', display_order: 1 },
      { id: 2, name: 'Regatta', slug_prefix: 'regatta', emoji: '⛵', theme_preset: 'default', display_order: 2 },
    ],
    photo_categories: [
      { id: 3, name: 'Vows', slug: 'vows', is_global: 1, created_at: time },
      { id: 9, name: 'First dance', slug: 'first-dance', is_global: 0, event_id: 5, created_at: time },
    ],
    events: [
      event(5, 'wedding-ana-ben', {
        event_name: 'Ana & Ben',
        require_password: 1,
        share_token: shareTokens.wedding,
        hero_photo_id: 2,
        header_style: 'hero',
        welcome_message: 'Welcome, **dear friends**.',
      }),
      event(6, 'birthday-lena', {
        share_token: shareTokens.birthday,
        allow_user_uploads: 1,
        upload_category_id: 3,
        client_access_enabled: 1,
      }),
      event(7, 'draft-summer', { share_token: shareTokens.draft, is_draft: 1, expires_at: '2026-10-30T00:00:00.000Z' }),
      event(8, 'old-reunion', {
        share_token: shareTokens.archived,
        is_archived: 1,
        archived_at: milliseconds,
        archive_path: 'events/archived/old-reunion.zip',
      }),
    ],
    event_feedback_settings: [
      { id: 1, event_id: 5, ...feedbackSwitches, moderate_comments: 0, identity_mode: 'guest' },
      { id: 2, event_id: 6, ...feedbackSwitches, moderate_comments: 1, identity_mode: 'simple' },
    ],
    photos: [
      photo(1, 5, first, { category_id: 3 }),
      photo(2, 5, second, { category_id: 9 }),
      photo(4, 5, third, { visibility: 'hidden' }),
      photo(11, 6, fourth),
      photo(12, 6, fifth, { uploaded_by: 'guest' }),
      photo(20, 8, { event: 'old-reunion', file: 'Old_0001.jpg', name: 'DSC_9.jpg', seed: 9 }),
    ],
    gallery_guests: [
      {
        id: 1,
        event_id: 5,
        name: 'Ana',
        email: 'ana@example.com',
        identifier: 'c2934725',
        created_at: time,
        is_deleted: 0,
      },
      { id: 2, event_id: 5, name: 'Ben', email: null, identifier: '772a1900', created_at: time, is_deleted: 1 },
    ],
    photo_feedback: [
      feedback(1, 1, { feedback_type: 'rating', rating: 4, guest_id: 1 }),
      feedback(2, 1, { feedback_type: 'rating', rating: 2, guest_id: 2 }),
      feedback(3, 1, { feedback_type: 'favorite', guest_id: 1 }),
      feedback(4, 2, { feedback_type: 'comment', comment_text: 'Wie schön! № 1 <3', guest_id: 1 }),
      feedback(5, 4, { feedback_type: 'like', guest_id: 1 }),
      feedback(6, 11, { feedback_type: 'like', guest_identifier: 'd8e4' }),
      feedback(7, 11, {
        feedback_type: 'comment',
        comment_text: 'Great',
        guest_identifier: 'd8e4',
        guest_name: 'Paul',
        is_approved: 0,
      }),
      feedback(8, 12, { feedback_type: 'comment', comment_text: 'Spam', guest_identifier: 'ffff', is_hidden: 1 }),
    ],
    slug_redirects: [{ id: 1, old_slug: 'wedding-of-ana', new_slug: 'wedding-ana-ben', event_id: 5 }],
    customer_accounts: [
      {
        id: 2,
        email: 'Ana@Example.com',
        first_name: 'Ana',
        last_name: 'Example',
        ...customer,
        last_login: milliseconds,
      },
      { id: 3, email: 'old@example.com', display_name: 'Ben', ...customer, is_active: 0 },
    ],
    event_customer_assignments: [
      { id: 1, event_id: 5, customer_account_id: 2, assigned_at: time },
      { id: 2, event_id: 8, customer_account_id: 2, assigned_at: time },
    ],
    activity_logs: [{ id: 1, activity_type: 'login' }],
  }
}

type Picture = (typeof pictures)[number]
const account = { password_hash: bcryptHash, is_active: 1, must_change_password: 1, created_at: time }
const customer = { password_hash: bcryptHash, is_active: 1, created_by_admin_id: 1, created_at: time }
const feedbackSwitches = {
  feedback_enabled: 1,
  allow_ratings: 1,
  allow_likes: 1,
  allow_comments: 1,
  allow_favorites: 1,
  show_feedback_to_guests: 1,
}

export type PicPeakInstallation = {
  folder: string
  rows: PicPeakRows
  storage: string
  database: string
  /** Changes the database as PicPeak would. */
  change: (sql: string) => void
}

/** Makes the data and the storage folder of a PicPeak installation. `edit` changes its rows before they are written. */
export async function makePicPeak(edit: (rows: PicPeakRows) => void = () => undefined): Promise<PicPeakInstallation> {
  const folder = await temporaryFolder()
  const storage = join(folder, 'storage')
  const rows = createRows()
  edit(rows)
  for (const { event: name, file, seed } of pictures) {
    await writeInto(join(storage, 'events/active', name, file), await jpeg({ seed }))
  }
  await writeInto(
    join(storage, 'events/archived/old-reunion.zip'),
    await writeZip([{ name: 'Old_0001.jpg', bytes: await jpeg({ seed: 9 }) }]),
  )
  const database = join(folder, 'data/photo_sharing.db')
  await mkdir(dirname(database))
  writeSqlite(database, rows)
  return { folder, rows, storage, database, change: (sql) => withSqlite(database, (sqlite) => sqlite.exec(sql)) }
}

export async function writeInto(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

function writeSqlite(file: string, tables: PicPeakRows): void {
  withSqlite(file, (sqlite) => {
    sqlite.pragma('journal_mode = WAL')
    for (const [table, columns] of Object.entries(picpeakTables)) {
      sqlite.exec(`create table ${table} (${columns})`)
      for (const row of tables[table] ?? []) {
        const names = Object.keys(row)
        sqlite.prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`).run(...Object.values(row))
      }
    }
  })
}

function withSqlite(file: string, use: (sqlite: Sqlite.Database) => void): void {
  const sqlite = new Sqlite(file)
  try {
    use(sqlite)
  } finally {
    sqlite.close()
  }
}
