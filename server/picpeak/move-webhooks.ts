import { randomBytes } from 'node:crypto'
import { webhookEventTypes } from '../../contract/webhooks.ts'
import { addMovedWebhook } from '../webhooks/webhooks.ts'
import type { Move } from './move-context.ts'
import { readAll } from './picpeak-source.ts'
import { toJson, toLine, toTime, toWhole } from './source/source-values.ts'

/** Moves webhooks with their secrets, inactive, so that no receiver hears of the same change from two services. */
export async function moveWebhooks({ ctx, source, moved, add }: Move): Promise<void> {
  if (!source.database.tables.has('webhooks')) return
  const known = await moved.list('webhook')
  for (const row of await readAll(source.database.read('webhooks'))) {
    const sourceId = toWhole(row.id)
    if (sourceId === null || known.has(String(sourceId))) continue
    const url = toLine(row.url)
    const named = toJson(row.events)
    const events = webhookEventTypes.filter((type) => Array.isArray(named) && named.includes(type))
    if (url === null || !/^https?:\/\//i.test(url) || events.length === 0) {
      add('webhooks', row.id, 'The webhook has no address, or none of its events exists here.')
      continue
    }
    const secret = toLine(row.secret) ?? randomBytes(32).toString('base64')
    if (toLine(row.secret) === null) add('webhooks', row.id, 'Its secret cannot be read. Make a new one.')
    const filter = toJson(row.filter)
    const isFiltered = filter !== null && typeof filter === 'object' && Object.keys(filter).length > 0
    if (isFiltered || toLine(row.template) !== null) {
      add('webhooks', row.id, 'Its filter and its template are not moved. Check them before you activate it.')
    }
    const name = toLine(row.name) ?? 'PicPeak'
    const createdAt = toTime(row.created_at) ?? ctx.clock.now()
    const id = await addMovedWebhook(ctx, { name, url, events, secret, createdAt })
    await moved.record(ctx.db, 'webhook', [[sourceId, id]])
  }
}
