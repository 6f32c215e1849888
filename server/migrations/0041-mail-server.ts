import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from '../platform/database/tables.ts'
import { isPostgres } from '../platform/database/transaction.ts'

export const mailServer: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(`create table mail_server (
        id integer primary key check (id = 1),
        host text,
        port integer,
        security text,
        user_name text,
        sealed_password text,
        sender text,
        updated_at bigint not null
      )`)
      .execute(db)
    if (!isPostgres(db as Database)) return
    for (const trigger of triggers) await sql.raw(trigger).execute(db)
  },
}

/** Other nodes hold whether there is a mail server. The function is that of `0022-nodes.ts`. */
const triggers = [
  `create trigger mail_server_tell_insert after insert on mail_server referencing new table as changed
    for each statement execute function proofroom_tell('settings', '', '')`,
  `create trigger mail_server_tell_update after update on mail_server
    referencing old table as former new table as changed
    for each statement execute function proofroom_tell('settings', '', '')`,
]
