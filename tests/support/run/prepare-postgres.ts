import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { migrations } from '../../../server/migrations/migrations.ts'
import { openDatabase } from '../../../server/platform/database/open-database.ts'
import { getDatabaseUrl, withPostgresClient } from '../database/postgres-databases.ts'
import type { BucketEnvironment } from '../storage/test-bucket.ts'
import { startPostgresServer } from './postgres-server.ts'

/**
 * Prepares PostgreSQL for a run. The returned function removes the databases of the run. Without `bucket`, services
 * store files in a folder.
 */
export default async function preparePostgres(
  project: TestProject,
  bucket: BucketEnvironment | null = null,
): Promise<() => Promise<void>> {
  const server = await startPostgresServer()
  const template = `proofroom_test_${randomBytes(4).toString('hex')}`
  const close = async () => {
    await dropDatabases(server.url, template)
    await server.stop()
  }
  try {
    await createTemplate(server.url, template)
  } catch (error) {
    await close()
    throw error
  }
  project.provide('backEnds', { postgres: { url: server.url, template }, bucket })
  return close
}

async function createTemplate(serverUrl: string, name: string): Promise<void> {
  await withPostgresClient(serverUrl, (client) => client.query(`create database ${name}`))
  const { close } = await openDatabase({ url: getDatabaseUrl(serverUrl, name) }, migrations)
  await close()
}

function dropDatabases(url: string, template: string): Promise<void> {
  return withPostgresClient(url, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [template])
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  })
}
