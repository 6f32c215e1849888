import type { Generated } from 'kysely'
import type { WebhookEventType } from '../../contract/webhooks.ts'
import type { Tx } from '../platform/database/tables.ts'

/** What has happened, in the order of its happening, for the deliveries that will tell of it. */
export type AnnouncementTable = {
  id: Generated<number>
  type: WebhookEventType
  /** JSON: the `data` of the envelope (decisions §9). */
  data: string
  created_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    announcements: AnnouncementTable
  }
}

/** Written in the transaction of the change it tells of: a change that is rolled back is never announced. */
export async function announce(tx: Tx, type: WebhookEventType, data: object, now: number): Promise<void> {
  await tx
    .insertInto('announcements')
    .values({ type, data: JSON.stringify(data), created_at: now })
    .execute()
}
