import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Queues copies of the webhook's last delivery, all due at once. The running service finds them by polling. */
export function queueDeliveryRows(dataDir: string, webhookId: number, count: number): void {
  const database = new Database(join(dataDir, 'proofroom.db'))
  const id = "lower(hex(randomblob(4)) || '-0000-4000-8000-' || hex(randomblob(6)))"
  const queue = database.transaction(() => {
    database.exec(`
      WITH RECURSIVE copy(number, uuid) AS (
        SELECT 1, ${id} UNION ALL SELECT number + 1, ${id} FROM copy WHERE number < ${count})
      INSERT INTO webhook_deliveries
        (webhook_id, event_type, envelope_id, envelope, status, next_attempt_at, created_at)
      SELECT webhook_id, event_type, uuid, json_set(envelope, '$.id', uuid), 'pending', created_at, created_at
      FROM copy, (SELECT * FROM webhook_deliveries WHERE webhook_id = ${webhookId} ORDER BY id DESC LIMIT 1)
    `)
  })
  queue.immediate()
  database.close()
}

/** Returns the number of pending deliveries. Throws when a delivery has failed. */
export function pendingDeliveries(dataDir: string): number {
  const counts = readDatabase(dataDir, 'SELECT status, count(*) AS count FROM webhook_deliveries GROUP BY status')
  const countOf = (status: string) => Number(counts.find((row) => row.status === status)?.count ?? 0)
  if (countOf('failed') > 0) throw new Error(`${countOf('failed')} deliveries have failed`)
  return countOf('pending')
}

export function lastEnvelope(dataDir: string): string {
  const [row] = readDatabase(dataDir, 'SELECT envelope FROM webhook_deliveries ORDER BY id DESC LIMIT 1')
  return String(row?.envelope)
}

function readDatabase(dataDir: string, query: string): Record<string, unknown>[] {
  const database = new Database(join(dataDir, 'proofroom.db'), { readonly: true })
  const rows = database.prepare(query).all()
  database.close()
  return rows as Record<string, unknown>[]
}
