import type { Client } from 'pg'

export async function withPostgresClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  return use(client).finally(() => client.end())
}

export function getDatabaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
