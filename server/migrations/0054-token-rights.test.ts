import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

test('deliveries of token webhooks get the event that they are about', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const names = Object.keys(migrations)
  for (const name of names.slice(0, names.indexOf('0054-token-rights'))) await migrations[name]?.up(db)
  sqlite.pragma('foreign_keys = off')
  const addWebhook = sqlite.prepare(
    `insert into webhooks (id, name, url, events, active, filter, secret, secret_preview, created_at, updated_at, token_id)
       values (?, '', '', '[]', 1, '{}', '', '', 0, 0, ?)`,
  )
  const addDelivery = sqlite.prepare(
    `insert into webhook_deliveries (webhook_id, event_type, envelope_id, envelope, status, created_at)
       values (?, 'event.updated', '', ?, 'pending', 0)`,
  )
  for (const [webhookId, tokenId] of [
    [1, null],
    [2, 5],
  ]) {
    addWebhook.run(webhookId, tokenId)
    addDelivery.run(webhookId, JSON.stringify({ data: { event: { id: 7 } } }))
  }

  await migrations['0054-token-rights']?.up(db)
  expect(sqlite.prepare('select webhook_id, event_id from webhook_deliveries').all()).toEqual([
    { webhook_id: 1, event_id: null },
    { webhook_id: 2, event_id: 7 },
  ])
  await db.destroy()
})
