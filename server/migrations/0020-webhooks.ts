import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // While changes were recorded here, there were no subscriptions.
  'drop table announcements',
  `create table webhooks (
    id integer primary key autoincrement,
    name text not null, url text not null, events text not null, active integer not null,
    filter text not null, template text,
    secret text not null, secret_preview text not null,
    last_success_at bigint, last_failure_at bigint, consecutive_failures integer not null default 0,
    created_at bigint not null, updated_at bigint not null)`,
  `create table webhook_deliveries (
    id integer primary key autoincrement,
    webhook_id integer not null references webhooks (id) on delete cascade,
    event_type text not null, envelope_id text not null, envelope text not null, templated_body text,
    replayed_from integer,
    status text not null, attempt_count integer not null default 0, next_attempt_at bigint,
    request_headers text, response_status integer, response_body text, latency_ms integer, last_error text,
    created_at bigint not null, completed_at bigint)`,
  `create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at)
    where next_attempt_at is not null`,
  'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)',
  'create index webhook_deliveries_by_status on webhook_deliveries (webhook_id, status, id)',
  'create index webhook_deliveries_by_time on webhook_deliveries (created_at)',
  // A guest who has changed marks or comments in an event, until one message announces all these changes.
  `create table feedback_changes (
    event_id integer not null references events (id) on delete cascade, guest_id text not null,
    first_at bigint not null, last_at bigint not null,
    primary key (event_id, guest_id))`,
  'create index feedback_changes_by_time on feedback_changes (last_at)',
]
