import { randomBytes } from 'node:crypto'
import { webhookEventTypes } from '../../contract/webhooks.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { t } from '../platform/text/command-messages.ts'
import { assertFilter } from '../webhooks/filter-rules.ts'
import { assertTemplate } from '../webhooks/template-rules.ts'
import { addMovedWebhook, type MovedWebhook } from '../webhooks/webhooks.ts'
import type { Move } from './move-context.ts'
import { readAll } from './picpeak-source.ts'
import { type SourceRow, toJson, toLine, toText, toTime, toWhole } from './source/source-values.ts'

/** Moves webhooks with their secrets, inactive, so that no receiver gets the same change from two services. */
export async function moveWebhooks({ ctx, source, moved, add, keepsIds, accounts }: Move): Promise<void> {
  if (accounts === 'none' || !source.database.tables.has('webhooks')) return
  const known = await moved.list('webhook')
  for (const row of await readAll(source.database.read('webhooks'))) {
    const sourceId = toWhole(row.id)
    if (sourceId === null || known.has(String(sourceId))) continue
    const url = toLine(row.url)
    const named = toJson(row.events)
    const events = webhookEventTypes.filter((type) => Array.isArray(named) && named.includes(type))
    if (url === null || !/^https?:\/\//i.test(url) || events.length === 0) {
      add('webhooks', row.id, t('webhookUnusable'))
      continue
    }
    const secret = toLine(row.secret) ?? randomBytes(32).toString('base64')
    if (toLine(row.secret) === null) add('webhooks', row.id, t('webhookSecretUnreadable'))
    const conditions = readConditions(row, (reason) => add('webhooks', row.id, reason))
    if (!keepsIds && /\.id\b/.test(Object.keys(conditions.filter).join())) {
      add('webhooks', row.id, t('webhookFilterIds'))
    }
    const name = toLine(row.name) ?? 'PicPeak'
    const createdAt = toTime(row.created_at) ?? ctx.clock.now()
    const id = await addMovedWebhook(ctx, { name, url, events, secret, createdAt, ...conditions })
    await moved.record(ctx.db, 'webhook', [[sourceId, id]])
  }
}

/** Filters and templates have the same form here. What is not valid here is reported and left out. */
function readConditions(row: SourceRow, report: (reason: string) => void): Pick<MovedWebhook, 'filter' | 'template'> {
  const filter = toJson(row.filter)
  const template = toText(row.template)?.trim() ? toText(row.template) : null
  const isFilter = filter !== null && typeof filter === 'object' && !Array.isArray(filter)
  return {
    filter: isFilter && isValid('webhookFilterInvalid', () => assertFilter(filter), report) ? filter : {},
    template:
      template !== null && isValid('webhookTemplateInvalid', () => assertTemplate(template), report) ? template : null,
  }
}

function isValid(
  problem: 'webhookFilterInvalid' | 'webhookTemplateInvalid',
  check: () => void,
  report: (reason: string) => void,
): boolean {
  try {
    check()
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    report(t(problem, { problem: error.message }))
    return false
  }
}
