import { type Generated, type Selectable, sql } from 'kysely'
import { type RoundState, sentStates } from '../../../contract/gallery/rounds.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { deleteMailsOfKind } from '../../platform/mail/queue-mail.ts'
import type { GuestBelongings } from '../../settings/belongings.ts'
import type { RoundNumbers } from './round-rules.ts'

/** A guest gets the first round with the first pick, and each other one when an operator opens the picks again. */
export type RoundTable = RoundNumbers & {
  id: Generated<number>
  event_id: number
  guest_id: string
  /** Counted from 1 for each guest. */
  number: number
  state: RoundState
  /** Grows with each change of the picks. */
  revision: number
  /** What the operator wrote when it was opened again. */
  message: string | null
  submitted_at: number | null
  locked_at: number | null
  locked_by: number | null
  /** When the guest asked to open it again, and with which words. */
  asked_at: number | null
  asked_message: string | null
  reminded_at: number | null
  /** When the package was removed. */
  ended_at: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    rounds: RoundTable
  }
}

export type RoundRow = Selectable<RoundTable>

/** Returns the last round of a guest. There is none before the first pick. */
export const findCurrentRound = (db: Database, eventId: number, guestId: string): Promise<RoundRow | undefined> =>
  db
    .selectFrom('rounds')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .where('ended_at', 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findRound = (db: Database, eventId: number, id: number): Promise<RoundRow | undefined> =>
  db.selectFrom('rounds').selectAll().where('id', '=', id).where('event_id', '=', eventId).executeTakeFirst()

export const findRoundBefore = (
  db: Database,
  { event_id, guest_id, number }: RoundRow,
): Promise<RoundRow | undefined> =>
  db
    .selectFrom('rounds')
    .selectAll()
    .where('event_id', '=', event_id)
    .where('guest_id', '=', guest_id)
    .where('number', '<', number)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

const emptyRound = {
  revision: 0,
  message: null,
  submitted_at: null,
  locked_at: null,
  locked_by: null,
  asked_at: null,
  asked_message: null,
  reminded_at: null,
  ended_at: null,
}

export async function getNextNumber(db: Database, eventId: number, guestId: string): Promise<number> {
  const { number } = await db
    .selectFrom('rounds')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .executeTakeFirstOrThrow()
  return Number(number ?? 0) + 1
}

type NewRound = { eventId: number; guestId: string; numbers: RoundNumbers; reopened?: { message: string } }

/** Must run with the lock of the event, so that numbers have no gaps. */
export async function startRound(tx: Tx, { eventId, guestId, numbers, reopened }: NewRound): Promise<RoundRow> {
  const { included, minimum, maximum, due_on } = numbers
  return tx
    .insertInto('rounds')
    .values({
      ...emptyRound,
      ...{ included, minimum, maximum, due_on },
      event_id: eventId,
      guest_id: guestId,
      number: await getNextNumber(tx, eventId, guestId),
      state: reopened ? 'reopened' : 'open',
      message: reopened?.message ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const changeRound = (tx: Tx, id: number, change: Partial<Omit<RoundRow, 'id'>>): Promise<RoundRow> =>
  tx.updateTable('rounds').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const countPickChange = (tx: Tx, id: number) =>
  tx
    .updateTable('rounds')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Starts a round for each guest who has picked photos before the event had a package. */
export const startRounds = (tx: Tx, eventId: number, { included, minimum, maximum, due_on }: RoundNumbers) =>
  sql`insert into rounds (event_id, guest_id, number, state, revision, included, minimum, maximum, due_on)
    select ${eventId}, pickers.guest_id, coalesce((select max(number) from rounds as earlier
        where earlier.event_id = ${eventId} and earlier.guest_id = pickers.guest_id), 0) + 1,
      'open', 0, cast(${included} as integer), cast(${minimum} as integer), cast(${maximum} as integer),
      cast(${due_on} as text)
    from (select distinct guest_id from feedback where event_id = ${eventId} and kind = 'favorite') as pickers`.execute(
    tx,
  )

/** Rounds that were opened again keep their numbers. */
export const changeOpenRounds = (tx: Tx, eventId: number, { included, minimum, maximum, due_on }: RoundNumbers) =>
  tx
    .updateTable('rounds')
    .set({ included, minimum, maximum, due_on })
    .where('event_id', '=', eventId)
    .where('state', '=', 'open')
    .where('ended_at', 'is', null)
    .execute()

/** Rounds in which nothing was sent leave no number behind. */
export async function endRounds(tx: Tx, eventId: number, now: number): Promise<void> {
  await tx.deleteFrom('rounds').where('event_id', '=', eventId).where('state', '=', 'open').execute()
  await tx
    .updateTable('rounds')
    .set({ ended_at: now })
    .where('event_id', '=', eventId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Returns how many visible photos each guest has picked as a favorite. Guests without any are absent. */
export async function countPicks(
  db: Database,
  eventId: number,
  guestIds: readonly string[],
): Promise<Map<string, number>> {
  if (guestIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('feedback')
    .innerJoin('photos', 'photos.id', 'feedback.photo_id')
    .select(({ fn }) => ['feedback.guest_id', fn.countAll<number>().as('count')])
    .where('feedback.event_id', '=', eventId)
    .where('feedback.guest_id', 'in', guestIds)
    .where('feedback.kind', '=', 'favorite')
    .where(visibleToGuests())
    .groupBy('feedback.guest_id')
    .execute()
  return new Map(rows.map(({ guest_id, count }) => [guest_id, Number(count)]))
}

export const roundsOfGuests: GuestBelongings = {
  tables: ['rounds'],

  hasRows: async (tx, eventId, guestId) => (await findCurrentRound(tx, eventId, guestId)) !== undefined,

  /**
   * An open round goes on as the one of `into`, if that guest has none. Ended ones get the numbers after those of
   * `into`.
   */
  async merge(tx, { eventId, from, into }) {
    const ofGuest = (guestId: string) =>
      tx.selectFrom('rounds').selectAll().where('event_id', '=', eventId).where('guest_id', '=', guestId)
    const current = await findCurrentRound(tx, eventId, into)
    const moved = await ofGuest(from).orderBy('number').execute()
    const isKept = (round: RoundRow) => round.ended_at !== null || current === undefined
    let number = (await ofGuest(into).orderBy('number').execute()).at(-1)?.number ?? 0
    for (const round of moved) {
      if (isKept(round)) await changeRound(tx, round.id, { guest_id: into, number: ++number })
      else await tx.deleteFrom('rounds').where('id', '=', round.id).execute()
    }
    if (current) await countPickChange(tx, current.id)
  },

  /** Selections keep what was agreed in their snapshots. Reminders do not tell their guest, so all are deleted. */
  async erase(tx, { eventId, guestIds }) {
    await tx.deleteFrom('rounds').where('event_id', '=', eventId).where('guest_id', 'in', guestIds).execute()
    return { counts: { mails: await deleteMailsOfKind(tx, eventId, 'selection_reminder') } }
  },
}

/** Returns whether a guest has sent picks while the event has this package. */
export async function hasSentRound(tx: Tx, eventId: number, guestId: string): Promise<boolean> {
  const sent = tx.selectFrom('rounds').select('id').where('event_id', '=', eventId).where('guest_id', '=', guestId)
  const row = await sent.where('state', 'in', sentStates).where('ended_at', 'is', null).limit(1).executeTakeFirst()
  return row !== undefined
}

/** A query condition: the round is the last one of its guest while the event has a package. */
export const isCurrentRound = sql<boolean>`rounds.ended_at is null and not exists (
  select 1 from rounds as later where later.event_id = rounds.event_id and later.guest_id = rounds.guest_id
  and later.number > rounds.number and later.ended_at is null)`
