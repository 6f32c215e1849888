import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Texts of mails that operators have changed; those without an event are of the instance. */
export const letterTexts: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `create table letter_texts (
    id integer primary key autoincrement,
    event_id integer references events (id) on delete cascade,
    letter text not null, language text not null, subject text not null, text text not null)`,
  'create unique index letter_texts_once on letter_texts (letter, language, coalesce(event_id, 0))',
  'create index letter_texts_by_event on letter_texts (event_id)',
]
