import { join } from 'node:path'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { deleteAllRenditionRows } from '../photos/drop-renditions.ts'
import { copyTables, emptyTables } from '../platform/database/copy-tables.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { copySqlite } from '../platform/database/sqlite-file.ts'
import type { Database } from '../platform/database/tables.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { deleteUnfinishedUploads } from '../receiving/chunked/upload-rows.ts'
import { deleteAllReplaced } from '../receiving/replaced-file-rows.ts'
import { withSqliteFile } from './backup-folder.ts'
import { syncFile } from './content-store.ts'

type Migrations = Record<string, Migration>

/**
 * Writes a consistent, durable SQLite copy of all rows except renditions, unfinished uploads, earlier files of replaced
 * photos and, on PostgreSQL, the rows of `nodeTables`.
 */
export async function snapshotDatabase(ctx: PlatformContext, target: string, migrations: Migrations): Promise<void> {
  const { database, config } = ctx
  if (database.kind === 'sqlite') await copySqlite(join(config.dataDir, 'proofroom.db'), target)
  else await copyFromPostgres(database.db, target, migrations)
  await withSqliteFile(target, {}, async ({ db }) => {
    await deleteAllRenditionRows(db)
    await deleteUnfinishedUploads(db)
    await deleteAllReplaced(db)
  })
  await syncFile(target)
}

/**
 * Tables with the shared state of the nodes, whose rows are not copied from PostgreSQL. Secrets are backed up only on
 * request, as files.
 */
const nodeTables = ['kept_secrets', 'rate_counts', 'job_runs', 'warnings']

async function copyFromPostgres(source: Database, target: string, migrations: Migrations): Promise<void> {
  const migrated = await openDatabase({ file: target }, migrations)
  await migrated.close()
  await withSqliteFile(target, {}, async ({ db }) => {
    await emptyTables(db)
    await inSnapshot(source, async (tx) => {
      // No time limit, because PostgreSQL must keep the snapshot open even while no query runs.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await copyTables(tx, db, { excludedTables: nodeTables })
    })
  })
}
