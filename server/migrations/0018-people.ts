import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const people: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // The row of a used link is deleted. The version is that of the account's sessions when the link was made: what ends
  // those sessions also makes the link invalid.
  `create table invites (
    token_hash text not null primary key,
    user_id integer not null unique references users (id) on delete cascade,
    session_version integer not null, expires_at bigint not null)`,
  'create index invites_by_expiry on invites (expires_at)',
]
