import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const customers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Without a password the account cannot sign in.
  `create table customers (
    id integer primary key autoincrement,
    name text not null, email text not null, email_key text not null unique, password_hash text,
    is_active integer not null, session_version integer not null,
    created_at bigint not null, updated_at bigint not null, last_login_at bigint,
    created_by integer references users (id) on delete set null)`,
  'create index customers_by_creator on customers (created_by)',

  // Withdrawn assignments stay, so that a customer who is assigned again is the same guest.
  `create table customer_events (
    customer_id integer not null references customers (id) on delete cascade,
    event_id integer not null references events (id) on delete cascade,
    guest_id text not null, assigned_at bigint not null, withdrawn_at bigint,
    primary key (customer_id, event_id))`,
  'create index customer_events_by_event on customer_events (event_id)',
]
