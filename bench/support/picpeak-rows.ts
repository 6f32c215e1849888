import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

export type PicPeakSize = { events: number; photos: number }

const guestsPerEvent = 5
/** Of this many photos one has a like. */
const photosPerLike = 3
const time = '2026-11-22 15:59:27'

const schema = `
  create table migrations (id integer primary key, filename text, applied_at datetime);
  create table admin_users (id integer primary key, username text, email text, password_hash text, created_at datetime);
  create table events (id integer primary key, slug text, event_type text, event_name text, share_token text,
    require_password boolean, created_at datetime, created_by integer);
  create table photo_categories (id integer primary key, name text, is_global boolean, event_id integer);
  create table photos (id integer primary key, event_id integer, filename text, path text, original_filename text,
    media_type text, visibility text, uploaded_at datetime);
  create table gallery_guests (id integer primary key, event_id integer, name text, created_at datetime);
  create table photo_feedback (id integer primary key, event_id integer, photo_id integer, feedback_type text,
    guest_id integer, created_at datetime);
  create index photos_event on photos (event_id); create index photo_feedback_event on photo_feedback (event_id);
  insert into migrations values (1, '001_init.js', '${time}');
  insert into admin_users values (1, 'admin', 'admin@example.com', '', '${time}')`

/** Makes the data and the storage folder of a PicPeak installation. Each photo is one of the pictures, with another content. */
export async function makePicPeakInstallation(
  folder: string,
  pictures: readonly string[],
  { events, photos }: PicPeakSize,
): Promise<void> {
  const contents = await Promise.all(pictures.map((path) => readFile(path)))
  await mkdir(join(folder, 'data'), { recursive: true })
  const sqlite = new Sqlite(join(folder, 'data/photo_sharing.db'))
  sqlite.exec(schema)
  const insert = (table: string, row: Record<string, string | number>) => {
    const names = Object.keys(row)
    sqlite.prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`).run(...Object.values(row))
  }
  sqlite.exec('begin')
  const perEvent = Math.ceil(photos / events)
  for (let event = 1, photo = 1; event <= events; event++) {
    const slug = `wedding-${event}`
    await mkdir(join(folder, 'storage/events/active', slug), { recursive: true })
    const share_token = String(event).padStart(32, '0')
    const names = { id: event, slug, event_type: 'wedding', event_name: `Wedding ${event}`, share_token }
    insert('events', { ...names, require_password: 0, created_at: time, created_by: 1 })
    for (let guest = 1; guest <= guestsPerEvent; guest++) {
      insert('gallery_guests', { event_id: event, name: `Guest ${guest}`, created_at: time })
    }
    for (let index = 0; index < perEvent && photo <= photos; index++, photo++) {
      const filename = `Wedding_${event}_${String(index).padStart(4, '0')}.jpg`
      const path = `${slug}/${filename}`
      const content = contents[photo % contents.length] ?? Buffer.alloc(0)
      await writeFile(join(folder, 'storage/events/active', path), withComment(content, String(photo)))
      const shown = { original_filename: `IMG_${photo}.jpg`, media_type: 'image', visibility: 'visible' }
      insert('photos', { id: photo, event_id: event, filename, path, ...shown, uploaded_at: time })
      if (photo % photosPerLike > 0) continue
      const guest_id = (event - 1) * guestsPerEvent + 1 + (photo % guestsPerEvent)
      insert('photo_feedback', { event_id: event, photo_id: photo, feedback_type: 'like', guest_id, created_at: time })
    }
  }
  sqlite.exec('commit')
  sqlite.close()
}

/** Inserts a comment segment behind the start of the JPEG, so that its content is another one. */
function withComment(jpeg: Buffer, comment: string): Buffer {
  const text = Buffer.from(comment)
  const header = Buffer.from([0xff, 0xfe, 0, text.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), header, text, jpeg.subarray(2)])
}
