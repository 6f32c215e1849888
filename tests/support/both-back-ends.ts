import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { migrations } from '../../server/migrations/migrations.ts'
import { openDatabase } from '../../server/platform/database/open-database.ts'
import { inPostgres, urlOf } from './postgres-databases.ts'
import { startPostgresServer } from './postgres-server.ts'
import { isInCi, missing, objectStore } from './requirements.ts'
import { createTestBucket } from './test-bucket.ts'

/**
 * Prepares PostgreSQL and a bucket for all files of a run, and removes what they leave there. Outside CI a missing object
 * store means that files lie in a folder; in CI it fails the run.
 */
export default async function readyBothBackEnds(project: TestProject): Promise<() => Promise<void>> {
  if (isInCi && !objectStore.isMet()) throw missing(objectStore)
  const server = await startPostgresServer()
  const template = `proofroom_test_${randomBytes(4).toString('hex')}`
  try {
    await createTemplate(server.url, template)
    const bucket = await createTestBucket()
    project.provide('backEnds', { postgres: { url: server.url, template }, bucket })
    return async () => {
      await dropDatabases(server.url, template)
      await server.stop()
    }
  } catch (error) {
    await dropDatabases(server.url, template)
    await server.stop()
    throw error
  }
}

async function createTemplate(serverUrl: string, name: string): Promise<void> {
  await inPostgres(serverUrl, (client) => client.query(`create database ${name}`))
  const { close } = await openDatabase({ url: urlOf(serverUrl, name) }, migrations)
  await close()
}

/** Of one run: the template and the copies of it. */
function dropDatabases(url: string, template: string): Promise<void> {
  return inPostgres(url, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [template])
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  })
}
