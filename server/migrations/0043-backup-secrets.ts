import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const backupSecrets: Migration = {
  async up(db: Kysely<unknown>) {
    // `encrypted`, `plain` or `none`; null for failed runs and for runs of earlier versions.
    await sql.raw('alter table backups add column secrets text').execute(db)
  },
}
