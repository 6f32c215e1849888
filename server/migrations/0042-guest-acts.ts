import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const guestActs: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
    // What the overview did not list before the upgrade: older selections, and those with a later one of the same guest.
    await sql`update selections set done_at = created_at where created_at < ${Date.now() - 14 * dayMs} or exists (
      select 1 from selections as later where later.event_id = selections.event_id
        and later.guest_id = selections.guest_id and later.id > selections.id)`.execute(db)
  },
}

const dayMs = 86_400_000

const statements = [
  // When a mail about the selection was sent or a webhook has received it; null before.
  'alter table selections add column notified_at bigint',
  `update selections set notified_at = (select min(sent_at) from mails
      where mails.selection_id = selections.id and mails.kind = 'selection_submitted' and mails.status = 'sent')`,

  // When an operator marked the selection as done or the guest submitted a later one; null while it is open.
  'alter table selections add column done_at bigint',
  'alter table selections add column done_by integer references users (id) on delete set null',
  'create index selections_open on selections (event_id, id) where done_at is null',
  'create index selections_by_account on selections (done_by)',

  // The acts of guests are read by time.
  'create index feedback_by_time on feedback (updated_at)',
  'create index selections_by_time on selections (created_at)',
  'create index guest_notes_by_time on guest_notes (created_at)',
  `create index photos_of_guests_by_time on photos (uploaded_at) where uploaded_by = 'guest'`,

  // The last visit of the day; null for days before the upgrade and days without a visit.
  'alter table event_days add column last_view_at bigint',
  'create index event_days_by_view on event_days (last_view_at) where last_view_at is not null',
]
