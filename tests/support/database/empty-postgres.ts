import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { getDatabaseUrl, withPostgresClient } from './postgres-databases.ts'

/** Returns the URL of a new empty PostgreSQL database, which is dropped after the run. Throws in a run with SQLite. */
export async function createEmptyPostgresDatabase(): Promise<string> {
  const postgres = inject('backEnds')?.postgres
  if (!postgres) throw new Error('This runs with PostgreSQL alone')
  const name = `${postgres.template}_${randomBytes(4).toString('hex')}`
  await withPostgresClient(postgres.url, (client) => client.query(`create database ${name}`))
  return getDatabaseUrl(postgres.url, name)
}
