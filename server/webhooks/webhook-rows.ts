import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../platform/database/tables.ts'

export type WebhookTable = {
  id: Generated<number>
  name: string
  url: string
  /** JSON: the subscribed event types. */
  events: string
  active: Flag
  /** JSON: paths of the envelope, each with a value or a list of values. `{}` matches every envelope. */
  filter: string
  /** null: the envelope itself is sent. */
  template: string | null
  /** Encrypted. */
  secret: string
  secret_preview: string
  last_success_at: number | null
  last_failure_at: number | null
  consecutive_failures: number
  created_at: number
  updated_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    webhooks: WebhookTable
  }
}

export type WebhookRow = Selectable<WebhookTable>

export const secretPurpose = 'webhook secret'
