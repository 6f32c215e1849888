import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../platform/database/tables.ts'

/** Who is told of what. */
export type WebhookTable = {
  id: Generated<number>
  name: string
  url: string
  /** JSON: the event types it is told of. */
  events: string
  active: Flag
  /** JSON: paths into the envelope, each with a value or a list of values; `{}` lets everything pass. */
  filter: string
  /** null: the envelope itself is sent. */
  template: string | null
  /** Encrypted; shown once, when it is made. */
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

/** The purpose under which secrets are encrypted. */
export const secretPurpose = 'webhook secret'
