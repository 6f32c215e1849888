import type { ChangeWebhookBody } from '../../contract/webhooks.ts'
import { flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { assertFilter } from './filter-rules.ts'
import { assertReceiverUrl } from './receivers/receiver-address.ts'
import { assertTemplate } from './template-rules.ts'
import type { WebhookRow } from './webhook-rows.ts'

type Fields = Omit<ChangeWebhookBody, 'secret'>

/** Checks what the schema of the body cannot. Throws VALIDATION_ERROR. */
export async function assertWebhook(ctx: PlatformContext, { url, filter, template }: Fields): Promise<void> {
  if (filter !== undefined) assertFilter(filter)
  const source = normalizeTemplate(template)
  if (source !== null) assertTemplate(source)
  if (url !== undefined) await assertReceiverUrl(ctx, url)
}

/** A form sends an empty field for no template. */
export const normalizeTemplate = (template: string | null | undefined): string | null =>
  template?.trim() ? template : null

type Columns = Partial<Pick<WebhookRow, 'name' | 'url' | 'events' | 'active' | 'filter' | 'template'>>

export const webhookColumns = ({ name, url, events, active, filter, template }: Fields): Columns => ({
  ...(name !== undefined && { name: name.trim() }),
  ...(url !== undefined && { url }),
  ...(events !== undefined && { events: JSON.stringify(events) }),
  ...(active !== undefined && { active: flag(active) }),
  ...(filter !== undefined && { filter: JSON.stringify(filter) }),
  ...(template !== undefined && { template: normalizeTemplate(template) }),
})
