import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const partedUploads: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // How the storage knows what has come in of an upload; of those begun before this, the place of its file on the disk.
  "alter table chunked_uploads add column parted_handle text not null default ''",
  "update chunked_uploads set parted_handle = 'events/' || cast(event_id as text) || '/' || id",
  // Some node is making the photo of it: no chunk that is there is replaced until then.
  'alter table chunked_uploads add column completing_until bigint not null default 0',
]
