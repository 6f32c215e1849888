import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrations } from '../../../server/migrations/migrations.ts'
import { openDatabase } from '../../../server/platform/database/open-database.ts'
import type { OpenDatabase } from '../../../server/platform/database/opened-database.ts'
import type { Database } from '../../../server/platform/database/tables.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { fillDatabase } from './fill-database.ts'

type DatabaseInFile = { db: Database; file: string }

export function closeWithTest({ db, close }: OpenDatabase): Database {
  onTestFinished(close)
  return db
}

export async function createMigratedDatabase(): Promise<DatabaseInFile> {
  const file = join(await temporaryFolder(), 'proofroom.db')
  return { db: closeWithTest(await openDatabase({ file }, migrations)), file }
}

export async function createFilledDatabase(): Promise<DatabaseInFile> {
  const migrated = await createMigratedDatabase()
  fillDatabase(migrated.file)
  return migrated
}
