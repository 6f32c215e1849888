import type { ReopenBody, RoundRecord } from '../../../contract/gallery/rounds.ts'
import { must } from '../../../contract/must.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { eventData } from '../../events/event-announcements.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { findGuest, guestRecord } from '../../events/guests/guest-rows.ts'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { announce } from '../../webhooks/announce.ts'
import { findSelectionOfRound } from '../selection-rows.ts'
import { findRoundRecord } from './list-rounds.ts'
import { changeRound, findCurrentRound, findRound, type RoundRow, startRound } from './round-rows.ts'
import { assertNumbers, changeNumbers, isSent } from './round-rules.ts'

type RoundKey = { eventId: number; roundId: number }

/** Throws NOT_FOUND, FORBIDDEN, EVENT_ARCHIVED, and INVALID_STATE if it is not a submitted round. */
export async function acceptRound(ctx: AppContext, caller: AccountCaller, key: RoundKey): Promise<RoundRecord> {
  const event = await getOwnedEvent(ctx, caller, key.eventId)
  const now = ctx.clock.now()
  await inTransaction(ctx.db, `event ${key.eventId}`, async (tx) => {
    const round = await getCurrentRound(tx, key)
    if (round.state !== 'submitted') throw new AppError('INVALID_STATE', { text: 'Only submitted picks are accepted.' })
    await changeRound(tx, round.id, { state: 'locked', locked_at: now, locked_by: caller.user.id })
    await recordRound(tx, round, 'accepted', now)
  })
  return showRound(ctx, event, key.roundId)
}

/**
 * Starts the next round with the picks as they are. Returns it. Throws NOT_FOUND, FORBIDDEN, EVENT_ARCHIVED,
 * VALIDATION_ERROR, and INVALID_STATE if the round is not submitted or locked.
 */
export async function reopenRound(
  ctx: AppContext,
  caller: AccountCaller,
  key: RoundKey,
  { message, ...sent }: ReopenBody,
): Promise<RoundRecord> {
  const event = await getOwnedEvent(ctx, caller, key.eventId)
  const now = ctx.clock.now()
  const origin = await ctx.settings.linkOrigin()
  const { id } = await inTransaction(ctx.db, `event ${key.eventId}`, async (tx) => {
    const before = await getCurrentRound(tx, key)
    if (!isSent(before)) throw new AppError('INVALID_STATE', { text: 'These picks are not submitted.' })
    const numbers = changeNumbers(before, sent)
    assertNumbers(numbers)
    const reopened = { message: message.trim() }
    const round = await startRound(tx, { eventId: event.id, guestId: before.guest_id, numbers, reopened })
    await recordRound(tx, before, 'reopened', now)
    const guest = await findGuest(tx, event.id, before.guest_id)
    const data = {
      event: eventData(event, origin),
      round: {
        ...{ id: round.id, number: round.number, ...reopened, ...numbers },
        guest: guestRecord(guest ?? { id: before.guest_id, name: null, email: null }),
      },
    }
    await announce(tx, 'selection.reopened', data, now)
    return round
  })
  ctx.changes.notify('delivery', key.eventId)
  return showRound(ctx, event, id)
}

/** Throws NOT_FOUND, EVENT_ARCHIVED, and INVALID_STATE for an earlier round or one of a removed package. */
async function getCurrentRound(tx: Tx, { eventId, roundId }: RoundKey): Promise<RoundRow> {
  await getChangeableEvent(tx, eventId)
  const round = await findRound(tx, eventId, roundId)
  if (!round) throw new AppError('NOT_FOUND')
  const current = await findCurrentRound(tx, eventId, round.guest_id)
  if (current?.id !== round.id) throw new AppError('INVALID_STATE', { text: 'The guest has a later round.' })
  return round
}

/** After the commit, notify `live`. */
export async function recordRound(
  tx: Tx,
  { id, event_id, guest_id }: RoundRow,
  did: 'accepted' | 'reopened' | 'requested',
  now: number,
): Promise<void> {
  const selection = await findSelectionOfRound(tx, id)
  if (!selection) return
  const data = { did, selection_id: selection.id, number: selection.number, count: selection.photo_count }
  await recordLiveEvent(tx, { event_id, type: 'selection', guest_id, data }, now)
}

async function showRound(ctx: AppContext, event: EventRow, id: number): Promise<RoundRecord> {
  ctx.changes.notify('live', event.id)
  return must(await findRoundRecord(ctx.db, event, id), 'the changed round')
}
