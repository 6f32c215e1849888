import { type MessagePort, workerData } from 'node:worker_threads'
import pg from 'pg'
import type { QueryRequest, QueryResult } from './stored-postgres.ts'

const { port, isDone } = workerData as { port: MessagePort; isDone: Int32Array }

/** Parses int8 and numeric as numbers, as SQLite returns them. By default the driver returns text. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)

const clients = new Map<string, Promise<pg.Client>>()

port.on('message', async (request: QueryRequest) => {
  port.postMessage(await runQuery(request))
  Atomics.store(isDone, 0, 1)
  Atomics.notify(isDone, 0)
})

async function runQuery({ url, statement, parameters }: QueryRequest): Promise<QueryResult> {
  try {
    const client = await getClient(url)
    const answered = await client.query(statement, parameters)
    return { results: [answered].flat().map(({ rows }) => rows) }
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    return { code, message: `${message}: ${statement}` }
  }
}

function getClient(url: string): Promise<pg.Client> {
  const existing = clients.get(url)
  if (existing) return existing
  const client = new pg.Client({ connectionString: url, types })
  // PostgreSQL closes the connections of a dropped database, which causes this event.
  client.on('error', () => clients.delete(url))
  const connected = client.connect().then(() => client)
  clients.set(url, connected)
  connected.catch(() => clients.delete(url))
  return connected
}
