import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const partedUploads: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // The handle of the storage for the received parts; for earlier uploads, the place of their file on the disk.
  "alter table chunked_uploads add column parted_handle text not null default ''",
  "update chunked_uploads set parted_handle = 'events/' || cast(event_id as text) || '/' || id",
  // Until then, a node is creating the photo, and no received chunk is replaced.
  'alter table chunked_uploads add column completing_until bigint not null default 0',
]
