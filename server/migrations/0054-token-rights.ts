import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from '../platform/database/tables.ts'
import { isPostgres } from '../platform/database/transaction.ts'

export const tokenRights: Migration = {
  async up(db: Kysely<unknown>) {
    // Tokens of earlier versions were made before there were private notes.
    await sql`alter table api_tokens add column reads_notes integer not null default 0`.execute(db)
    await sql`alter table webhook_deliveries add column event_id integer`.execute(db)
    const eventId = isPostgres(db as Database)
      ? sql`(envelope::json #>> '{data,event,id}')::bigint`
      : sql`json_extract(envelope, '$.data.event.id')`
    await sql`update webhook_deliveries set event_id = ${eventId}
      where webhook_id in (select id from webhooks where token_id is not null)`.execute(db)
  },
}
