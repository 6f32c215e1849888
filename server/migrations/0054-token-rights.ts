import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from '../platform/database/tables.ts'
import { isPostgres } from '../platform/database/transaction.ts'

export const tokenRights: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table webhook_deliveries add column event_id integer`.execute(db)
    const eventId = isPostgres(db as Database)
      ? sql`(envelope::json #>> '{data,event,id}')::bigint`
      : sql`json_extract(envelope, '$.data.event.id')`
    await sql`update webhook_deliveries set event_id = ${eventId}
      where webhook_id in (select id from webhooks where token_id is not null)`.execute(db)
  },
}
