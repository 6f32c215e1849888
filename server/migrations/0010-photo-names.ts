import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createNameSortKey as nameSortOf, createSearchText as searchTextOf } from '../photos/photo-names.ts'

export const photoNames: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of columns) await sql.raw(statement).execute(db)
    await nameAllPhotos(db)
    for (const statement of indexes) await sql.raw(statement).execute(db)
  },
}

/** Compared byte by byte. The values are computed in code, so that all databases give the same results. */
const columns = [
  "alter table photos add column name_sort text not null default ''",
  "alter table photos add column search_text text not null default ''",
]

/** One index for each sort, which also has the columns for filters, so that lists do not read the table for them. */
const indexes = [
  'drop index photos_in_order',
  'create index photos_in_order on photos (event_id, uploaded_at, id, visibility, category_id, type, search_text)',
  'create index photos_by_name on photos (event_id, name_sort, id, visibility, category_id, type)',
  'create index photos_by_capture on photos (event_id, captured_at, id, visibility, category_id, type)',
  'create index photos_by_size on photos (event_id, size_bytes, id, visibility, category_id, type)',
  'drop index photos_by_category',
  'create index photos_by_category on photos (category_id, event_id, visibility, uploaded_at, id, type)',

  'drop index photo_marks_in_order',
  `create index photo_marks_in_order on photo_marks (
    event_id, uploaded_at, photo_id, average_hundredths, label_mask, like_count, favorite_count, comment_count)`,
  'create index photo_marks_by_rating on photo_marks (event_id, average_hundredths, uploaded_at, photo_id)',
]

const rowsAtOnce = 500

async function nameAllPhotos(db: Kysely<unknown>): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<NamedPhoto>`select id, filename, original_filename, source_filename from photos
      where id > ${last} order by id limit ${rowsAtOnce}`.execute(db)
    if (rows.length === 0) return
    const named = rows.map(
      (photo) => sql`(cast(${photo.id} as bigint), ${nameSortOf(photo.source_filename)}, ${searchTextOf(photo)})`,
    )
    await sql`update photos set name_sort = named.column2, search_text = named.column3
      from (values ${sql.join(named)}) as named where photos.id = named.column1`.execute(db)
    last = rows.at(-1)?.id ?? last
  }
}

type NamedPhoto = { id: number; filename: string; original_filename: string; source_filename: string }
