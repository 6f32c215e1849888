import { expect, test } from 'vitest'
import { createEmptyPostgresDatabase } from '../support/database/empty-postgres.ts'
import { withPostgresClient } from '../support/database/postgres-databases.ts'
import { createCompiledDataDir, runProofroom, runToEnd } from '../support/service/proofroom-command.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()

test('proofroom doctor reads the migrations and the clock of PostgreSQL, and creates nothing there', async () => {
  const url = await createEmptyPostgresDatabase()
  const empty = await runToEnd(['doctor'], { DATA_DIR: await createCompiledDataDir(), DATABASE_URL: url, PORT: '0' })
  expect(empty.stdout).toMatch(/^OK {7}Database: PostgreSQL \d.*; empty, the first start creates the tables\.$/m)
  expect(empty.stdout).toMatch(/^OK {7}Clock: Agrees with that of the database\.$/m)
  const tables = await withPostgresClient(url, (client) =>
    client.query("select 1 from pg_tables where schemaname = 'public'"),
  )
  expect(tables.rowCount).toBe(0)

  const { stdout } = await runProofroom(service, ['doctor'], { PORT: '0' })
  expect(stdout).toMatch(/^OK {7}Database: PostgreSQL \d.*, all \d+ migrations applied\.$/m)
})

test('proofroom doctor finds the running service on PostgreSQL by its port', async () => {
  const { port } = new URL(service.url)
  const { stdout } = await runProofroom(service, ['doctor'], { PORT: port })
  expect(stdout).toMatch(/^OK {7}Address: A Proofroom service answers at http:\/\/localhost:\d+\.$/m)

  const DATABASE_URL = await createEmptyPostgresDatabase()
  const other = await runToEnd(['doctor'], { DATA_DIR: await createCompiledDataDir(), DATABASE_URL, PORT: port })
  expect(other).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('does not use the database of DATABASE_URL.'),
  })
})
