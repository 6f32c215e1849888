import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The checksums of stills that guests download: those of images that the service and browsers cannot decode. */
export const stills: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = ['photos', 'trashed_photos', 'arriving_photos'].flatMap((table) => [
  `alter table ${table} add column still_crc32 bigint`,
  `alter table ${table} add column still_sha256 text`,
])
