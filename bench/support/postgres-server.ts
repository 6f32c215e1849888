import { createServer } from 'node:net'
import { type LocalPostgres, startLocalPostgres } from '../../tools/local-postgres.ts'

/** Starts PostgreSQL with its default settings, or uses the database of BENCH_DATABASE_URL, which must be new. */
export async function startPostgres(): Promise<LocalPostgres> {
  const configuredUrl = process.env.BENCH_DATABASE_URL
  if (configuredUrl) return { url: configuredUrl, stop: async () => undefined }
  return startLocalPostgres({ port: await freePort(), initdb: ['--locale=C'], settings: {} })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
