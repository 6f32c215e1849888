import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmptyPostgresDatabase } from '../../support/database/empty-postgres.ts'
import { withPostgresClient } from '../../support/database/postgres-databases.ts'
import { makePicPeak } from '../../support/picpeak/picpeak-installation.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { runToEnd } from '../../support/service/proofroom-command.ts'

test('proofroom import picpeak --dry-run creates no tables', async () => {
  const [picpeak, DATABASE_URL] = [await makePicPeak(), await createEmptyPostgresDatabase()]
  const environment = { DATA_DIR: join(await temporaryFolder(), 'data'), DATABASE_URL }
  const { code } = await runToEnd(['import', 'picpeak', picpeak.folder, '--dry-run'], environment)
  const tables = await withPostgresClient(DATABASE_URL, (client) =>
    client.query("select 1 from pg_tables where schemaname = 'public'"),
  )
  expect([code, tables.rowCount]).toEqual([0, 0])
})
