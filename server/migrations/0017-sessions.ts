import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const sessions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // One row for each active sign-in. Without it, no token of the sign-in is valid. It contains no token.
  `create table refresh_families (
    id text not null primary key,
    user_id integer not null references users (id) on delete cascade,
    session_version integer not null, sequence integer not null, is_repeated integer not null,
    issued_at bigint not null, expires_at bigint not null, created_at bigint not null)`,
  'create index refresh_families_by_user on refresh_families (user_id)',
  'create index refresh_families_by_expiry on refresh_families (expires_at)',

  // Pending until it is confirmed.
  `create table second_factors (
    user_id integer not null primary key references users (id) on delete cascade,
    sealed_secret text not null, created_at bigint not null, confirmed_at bigint, last_step bigint)`,
  `create table recovery_codes (
    user_id integer not null references users (id) on delete cascade,
    code_hash text not null, used_at bigint,
    primary key (user_id, code_hash))`,
]
