import { type RawBuilder, sql } from 'kysely'
import { type GuestAct, guestActs } from '../../../contract/gallery/guest-acts.ts'
import { feedbackKinds } from '../../../contract/marks.ts'
import type { AccountCaller } from '../../access/callers.ts'
import type { Database } from '../../platform/database/tables.ts'
import { type ActFilter, type ActSource, isVisibleEvent, type Span } from './act-queries.ts'

type Source = { acts: readonly GuestAct[]; select: RawBuilder<unknown>; at: string; only?: RawBuilder<unknown> }

/** A merged guest uploads as the guest into which it was merged; all other rows of merged guests were moved. */
const uploader = sql`coalesce((select merged_into from guests where guests.id = photos.guest_id), photos.guest_id, '')`

/** What guests did is read from where it is stored; nothing is recorded only for this list. */
const sources: Source[] = [
  { acts: feedbackKinds, select: sql`kind as act, guest_id as person, 1 as count from feedback`, at: 'updated_at' },
  {
    acts: ['note'],
    select: sql`'note' as act, guest_id as person, 1 as count from threads`,
    at: 'created_at',
    only: sql`kind <> 'comment'`,
  },
  {
    acts: ['selection'],
    select: sql`'selection' as act, coalesce(guest_id, '') as person, 1 as count from selections`,
    at: 'created_at',
  },
  {
    acts: ['upload'],
    select: sql`'upload' as act, ${uploader} as person, 1 as count from photos`,
    at: 'uploaded_at',
    only: sql`uploaded_by = 'guest'`,
  },
  // All visits of a day are one row, with the time of the last one.
  { acts: ['visit'], select: sql`'visit' as act, '' as person, views as count from event_days`, at: 'last_view_at' },
]

export function guestActSource(db: Database, caller: AccountCaller, filter: ActFilter): ActSource {
  const { action } = filter
  const isVisible = isVisibleEvent(db, caller, filter)
  const selected = sources.filter(({ acts }) => action === undefined || (acts as readonly string[]).includes(action))
  const isAction = action === undefined ? sql`true` : sql`act = ${action}`
  return (span) => {
    const queries = selected.map((source) => readSource(source, span, isVisible))
    return sql`select * from (${sql.join(queries, sql` union all `)}) as acts where ${isAction}`
  }
}

export const isGuestAct = (act: string): act is GuestAct => (guestActs as readonly string[]).includes(act)

function readSource({ select, at, only }: Source, { from, until }: Span, isVisible: RawBuilder<boolean>) {
  const time = sql.ref(at)
  const condition = only ? sql`${only} and ${isVisible}` : isVisible
  return sql`select event_id, ${time} as at, ${select} where ${time} >= ${from} and ${time} < ${until} and ${condition}`
}
