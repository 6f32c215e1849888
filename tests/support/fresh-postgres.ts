import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { inPostgres, urlOf } from './postgres-databases.ts'

/** Returns the URL of a new empty database. It is dropped with the databases of the run. */
export async function freshPostgresUrl(): Promise<string> {
  const postgres = inject('backEnds')?.postgres
  if (!postgres) throw new Error('This runs with PostgreSQL alone')
  const name = `${postgres.template}_${randomBytes(4).toString('hex')}`
  await inPostgres(postgres.url, (client) => client.query(`create database ${name}`))
  return urlOf(postgres.url, name)
}
