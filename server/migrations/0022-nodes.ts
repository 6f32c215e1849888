import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from '../platform/database/tables.ts'
import { isPostgres } from '../platform/database/transaction.ts'

/**
 * What several nodes on one PostgreSQL share. On SQLite there is one process, and these tables stay empty. On
 * PostgreSQL, each statement that changes cached data notifies the nodes when it is committed.
 */
export const nodes: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = isPostgres(db as Database) ? [...tables, ...passing, tell, ...told.flatMap(triggers)] : tables
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const tables = [
  'create table kept_secrets (name text not null primary key, value text not null)',
  'create table rate_counts (key text not null primary key, count integer not null, ends_at bigint not null)',
  'create index rate_counts_by_end on rate_counts (ends_at)',
  'create table warnings (name text not null primary key, since bigint not null, facts text not null)',
  'create table job_runs (name text not null primary key, node text not null, begun_at bigint not null)',
]

/** Useless after a crash of the server, and written often, so their commits do not wait for the disk. */
const passing = ['alter table rate_counts set unlogged', 'alter table job_runs set unlogged']

/**
 * Its arguments: the topic, the column of the key or nothing, and the columns that are not cached. Names at most 50
 * keys.
 */
const tell = `create function proofroom_tell() returns trigger language plpgsql as $$
  declare
    uncached text[] := string_to_array(tg_argv[2], ' ');
    keys text;
  begin
    if not exists (select from changed) then
      return null;
    end if;
    if tg_op = 'UPDATE' and cardinality(uncached) > 0 then
      if not exists (select to_jsonb(changed) - uncached from changed except select to_jsonb(former) - uncached from former)
        then return null;
      end if;
    end if;
    select string_agg(key, ' ') into keys
      from (select to_jsonb(changed) ->> tg_argv[1] as key from changed limit 51) few having count(*) <= 50;
    perform pg_notify('proofroom',
      concat_ws(' ', coalesce(current_setting('proofroom.node', true), '-'), tg_argv[0], keys));
    return null;
  end $$`

type Told = { topic: string; table: string; by: Array<keyof typeof rows>; key?: string; uncached?: string[] }

/** Missing rows are not cached, so an insert matters only if it takes something away. */
const told: Told[] = [
  {
    topic: 'event',
    table: 'events',
    by: ['update', 'delete'],
    key: 'id',
    uncached: ['total_views', 'total_downloads'],
  },
  { topic: 'event', table: 'event_members', by: ['insert', 'update', 'delete'], key: 'event_id' },
  { topic: 'photo', table: 'photos', by: ['update', 'delete'], key: 'id' },
  { topic: 'photo', table: 'categories', by: ['update', 'delete'] },
  { topic: 'settings', table: 'settings', by: ['insert', 'update', 'delete'] },
  { topic: 'account', table: 'users', by: ['update', 'delete'], uncached: ['last_login_at'] },
  { topic: 'session', table: 'revoked_sessions', by: ['insert'] },
  { topic: 'session', table: 'refresh_families', by: ['delete'] },
  { topic: 'api-token', table: 'api_tokens', by: ['update', 'delete'], uncached: ['last_used_at'] },
  { topic: 'guest', table: 'guests', by: ['insert', 'update', 'delete'], uncached: ['name', 'email', 'updated_at'] },
  { topic: 'customer', table: 'customers', by: ['update', 'delete'], uncached: ['last_login_at'] },
  { topic: 'customer', table: 'customer_events', by: ['update', 'delete'] },
]

/** A trigger that reads the rows of a statement can have only one kind of statement. */
const rows = {
  insert: 'new table as changed',
  update: 'old table as former new table as changed',
  delete: 'old table as changed',
}

const triggers = ({ topic, table, by, key = '', uncached = [] }: Told): string[] =>
  by.map(
    (deed) => `create trigger ${table}_tell_${deed} after ${deed} on ${table} referencing ${rows[deed]}
      for each statement execute function proofroom_tell('${topic}', '${key}', '${uncached.join(' ')}')`,
  )
