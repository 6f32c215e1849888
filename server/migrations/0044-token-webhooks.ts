import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const tokenWebhooks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // The API token that made the webhook, which ends with it; null for webhooks of the instance.
  'alter table webhooks add column token_id integer references api_tokens (id) on delete cascade',
  'create index webhooks_by_token on webhooks (token_id) where token_id is not null',
]
