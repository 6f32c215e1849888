import { createHash } from 'node:crypto'
import { inject } from 'vitest'
import { getDatabaseUrl, withPostgresClient } from '../database/postgres-databases.ts'
import { measureCost } from '../run/times/counters.ts'
import type { BucketEnvironment } from '../storage/test-bucket.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Provided by the global setup for PostgreSQL. undefined: services use SQLite and a folder. */
    backEnds:
      | {
          /**
           * `template` has all tables. The databases of the run are copies of it, and their names begin with its name.
           */
          postgres: { url: string; template: string }
          /** null: files are stored in the data folder. */
          bucket: BucketEnvironment | null
        }
      | undefined
  }
}

const backEnds = inject('backEnds')

export const isOnPostgres = backEnds !== undefined
export const isOnS3 = Boolean(backEnds?.bucket)

/** Databases and bucket prefixes are named after the path of the data folder, so that they can be found from it. */
const hashDataDir = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
const getDatabaseName = (dataDir: string): string => `${backEnds?.postgres.template}_${hashDataDir(dataDir)}`

/** null: the service uses a SQLite file in the folder. */
export const getPostgresUrl = (dataDir: string): string | null =>
  backEnds ? getDatabaseUrl(backEnds.postgres.url, getDatabaseName(dataDir)) : null

/** null: files are stored below `media` in the folder. */
export const getBucket = (dataDir: string): BucketEnvironment | null =>
  backEnds?.bucket ? { ...backEnds.bucket, S3_PREFIX: `${hashDataDir(dataDir)}/` } : null

/**
 * Returns the environment variables for a service with this data folder. With PostgreSQL, creates the database of the
 * service if it does not exist.
 */
export async function prepareBackEnds(dataDir: string): Promise<Record<string, string>> {
  if (!backEnds) return {}
  const { url, template } = backEnds.postgres
  const name = getDatabaseName(dataDir)
  await withPostgresClient(url, async (client) => {
    const { rows } = await client.query('select from pg_database where datname = $1', [name])
    if (rows.length > 0) return
    await measureCost('PostgreSQL database', () => client.query(`create database ${name} template ${template}`))
  })
  return { DATABASE_URL: getDatabaseUrl(url, name), ...getBucket(dataDir) }
}

export async function dropDatabase(dataDir: string): Promise<void> {
  if (!backEnds) return
  const drop = `drop database if exists ${getDatabaseName(dataDir)} with (force)`
  await withPostgresClient(backEnds.postgres.url, (client) => client.query(drop))
}
