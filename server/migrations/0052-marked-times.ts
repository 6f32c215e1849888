import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const markedTimes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Null: no guest has given the photo a mark that others see.
  'alter table photo_marks add column marked_at bigint',
  // When a mark was removed is not stored before this version.
  `update photo_marks set marked_at = (select max(updated_at) from feedback
    where feedback.photo_id = photo_marks.photo_id and is_visible = 1 and kind <> 'comment')`,
]
