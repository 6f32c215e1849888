import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const guestUploadReview: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table photos add column awaits_review integer not null default 0`.execute(db)
    // Before, uploads that waited for a review and those that an operator had hidden were the same.
    await sql`update photos set awaits_review = 1 where uploaded_by = 'guest' and visibility = 'hidden'`.execute(db)
    await sql`create index photos_awaiting_review on photos (event_id, id) where awaits_review = 1`.execute(db)
  },
}
