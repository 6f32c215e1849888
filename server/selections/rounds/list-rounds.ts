import type { ListRoundsQuery, RoundRecord } from '../../../contract/gallery/rounds.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { listAsked } from '../../feedback/notices/notice-rows.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import { describeMailState } from './round-recipient.ts'
import { countPicks, isCurrentRound } from './round-rows.ts'
import { countExtras, isSent } from './round-rules.ts'

/** The newest round first. */
export async function listRounds(
  { db, clock }: PlatformContext,
  event: EventRow,
  { page, limit, state, current }: ListRoundsQuery,
): Promise<{ rounds: RoundRecord[]; pagination: ReturnType<typeof toPagination> }> {
  const rounds = selectRounds(db, event.id)
    .$if(state !== undefined, (some) => some.where('rounds.state', '=', state ?? 'open'))
    .$if(current === true, (some) => some.where(isCurrentRound))
  const { total } = await rounds.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await withColumns(rounds)
    .orderBy('rounds.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return {
    rounds: await toRecords(db, event, rows, clock.now()),
    pagination: toPagination({ page, limit }, Number(total)),
  }
}

export async function findRoundRecord(
  { db, clock }: PlatformContext,
  event: EventRow,
  id: number,
): Promise<RoundRecord | undefined> {
  const row = await withColumns(selectRounds(db, event.id)).where('rounds.id', '=', id).executeTakeFirst()
  return row && (await toRecords(db, event, [row], clock.now()))[0]
}

const selectRounds = (db: Database, eventId: number) =>
  db
    .selectFrom('rounds')
    .leftJoin('guests', 'guests.id', 'rounds.guest_id')
    .leftJoin('selections', 'selections.round_id', 'rounds.id')
    .leftJoin('thread_notices', (join) =>
      join
        .onRef('thread_notices.event_id', '=', 'rounds.event_id')
        .onRef('thread_notices.guest_id', '=', 'rounds.guest_id'),
    )
    .where('rounds.event_id', '=', eventId)

const withColumns = (rounds: ReturnType<typeof selectRounds>) =>
  rounds
    .selectAll('rounds')
    .select(isCurrentRound.as('is_current'))
    .select(['guests.name', 'guests.email', 'selections.id as selection_id', 'selections.photo_count'])
    .select(['thread_notices.confirmed_email', 'thread_notices.unsubscribed_at'])

type ListedRound = Awaited<ReturnType<ReturnType<typeof withColumns>['executeTakeFirstOrThrow']>>

async function toRecords(db: Database, event: EventRow, rows: ListedRound[], now: number): Promise<RoundRecord[]> {
  const guestIds = rows.filter((row) => row.photo_count === null).map(({ guest_id }) => guest_id)
  const picks = await countPicks(db, event.id, [...new Set(guestIds)])
  const emails = rows.flatMap(({ email }) => email ?? [])
  const asked = await listAsked(db, event.id, [...new Set(emails)])
  return rows.map((row) => {
    const { id, event_id, number, state, revision, included, minimum, maximum, due_on, message, locked_by } = row
    const count = row.photo_count ?? picks.get(row.guest_id) ?? 0
    const isCurrent = Boolean(row.is_current)
    const mail = describeMailState(row, event, asked, now)
    return {
      ...{ id, event_id, number, state, revision, included, minimum, maximum, due_on, message, locked_by },
      guest: { id: row.guest_id, name: row.name, email: row.email },
      is_current: isCurrent,
      count,
      extra_count: countExtras(count, row),
      submitted_at: isoTimeOrNull(row.submitted_at),
      locked_at: isoTimeOrNull(row.locked_at),
      selection_id: row.selection_id,
      reopening: row.asked_at === null ? null : { message: row.asked_message, asked_at: isoTime(row.asked_at) },
      reminded_at: isoTimeOrNull(row.reminded_at),
      mail,
      can_be_reminded: isCurrent && !isSent(row) && (mail === 'yes' || mail === 'asks'),
    }
  })
}
