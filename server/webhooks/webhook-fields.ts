import type { ChangeWebhookBody } from '../../contract/webhooks.ts'
import { flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { assertFilter } from './filter-rules.ts'
import { assertReceiverUrl } from './receiver-address.ts'
import { assertTemplate } from './template-rules.ts'
import type { WebhookRow } from './webhook-rows.ts'

type Fields = Omit<ChangeWebhookBody, 'secret'>

/** What a shape cannot tell of the fields that are given. Throws VALIDATION_ERROR. */
export async function assertWebhook(ctx: PlatformContext, { url, filter, template }: Fields): Promise<void> {
  if (filter !== undefined) assertFilter(filter)
  const source = templateOf(template)
  if (source !== null) assertTemplate(source)
  if (url !== undefined) await assertReceiverUrl(ctx, url)
}

/** A blank one is none, as a form sends it. */
export const templateOf = (template: string | null | undefined): string | null => (template?.trim() ? template : null)

type Columns = Partial<Pick<WebhookRow, 'name' | 'url' | 'events' | 'active' | 'filter' | 'template'>>

/** The columns of the fields that are given. */
export const webhookColumns = ({ name, url, events, active, filter, template }: Fields): Columns => ({
  ...(name !== undefined && { name: name.trim() }),
  ...(url !== undefined && { url }),
  ...(events !== undefined && { events: JSON.stringify(events) }),
  ...(active !== undefined && { active: flag(active) }),
  ...(filter !== undefined && { filter: JSON.stringify(filter) }),
  ...(template !== undefined && { template: templateOf(template) }),
})
