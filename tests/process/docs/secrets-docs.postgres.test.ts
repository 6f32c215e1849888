import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { loadSecrets } from '../../../server/platform/security/secrets.ts'
import { assertOutput, readBlock } from '../../support/docs/snippets.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { contextForTest } from '../../support/service/test-context.ts'

test('the lines of the page print the secrets of the database as variables, and empty the table', async () => {
  const { db, database } = await contextForTest()
  await db.deleteFrom('kept_secrets').execute()
  const { jwtSecret, encryptionKey } = await loadSecrets(readConfig({ DATA_DIR: await temporaryFolder() }), database)
  /** Runs the SQL of a block, as psql does. */
  const run = async (block: string) => {
    const [, command = ''] = /--command (?:\\\n *)?"(.*)"/.exec(block) ?? []
    const { rows } = await sql<Record<string, string>>`${sql.raw(command)}`.execute(db)
    return rows.flatMap((row) => Object.values(row)).join('\n')
  }
  const printed = await run(readBlock('print-kept-secrets'))
  assertOutput('print-kept-secrets', printed)
  expect(printed).toBe(`ENCRYPTION_KEY=${encryptionKey}\nJWT_SECRET=${jwtSecret}`)
  await run(readBlock('delete-kept-secrets'))
  expect(await db.selectFrom('kept_secrets').selectAll().execute()).toEqual([])
})
