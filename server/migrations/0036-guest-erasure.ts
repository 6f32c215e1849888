import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const guestErasure: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  'alter table guests add column erased_at bigint',

  // The selection of an erased guest has no guest. SQLite cannot drop `not null`, so the column is created again.
  'drop index selections_once',
  'alter table selections add column of_guest text',
  'update selections set of_guest = guest_id',
  'alter table selections drop column guest_id',
  'alter table selections rename column of_guest to guest_id',
  'create unique index selections_once on selections (event_id, guest_id, number)',

  // The selections of an event are submitted one after another, each with its mail in the same transaction.
  'alter table mails add column selection_id integer',
  `update mails set selection_id = (select max(id) from selections
      where selections.event_id = mails.event_id and selections.created_at <= mails.created_at)
    where kind = 'selection_submitted'`,
  'create index mails_by_selection on mails (selection_id) where selection_id is not null',
]
