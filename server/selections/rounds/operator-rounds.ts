import type { ReopenBody, RoundRecord } from '../../../contract/gallery/rounds.ts'
import { must } from '../../../contract/must.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { eventData } from '../../events/event-announcements.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { findGuest, guestRecord } from '../../events/guests/guest-rows.ts'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import { loadLetterhead, mailRound } from '../../events/mail/event-mail.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { hours } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { announce } from '../../webhooks/announce.ts'
import { findSelectionOfRound, setSelectionDone } from '../selection-rows.ts'
import { findRoundRecord } from './list-rounds.ts'
import { findPackage } from './package-rows.ts'
import { findRoundRecipient } from './round-recipient.ts'
import { changeRound, countPicks, findCurrentRound, findRound, type RoundRow, startRound } from './round-rows.ts'
import { assertNumbers, changeNumbers, isSent } from './round-rules.ts'

type RoundKey = { eventId: number; roundId: number }

/** Throws NOT_FOUND, FORBIDDEN, EVENT_ARCHIVED, and INVALID_STATE if it is not a submitted round. */
export async function acceptRound(ctx: AppContext, caller: AccountCaller, key: RoundKey): Promise<RoundRecord> {
  const event = await getOwnedEvent(ctx, caller, key.eventId)
  const now = ctx.clock.now()
  await inTransaction(ctx.db, `event ${key.eventId}`, async (tx) => {
    const round = await getCurrentRound(tx, key)
    if (round.state !== 'submitted') throw new AppError('INVALID_STATE', { text: 'Only submitted picks are accepted.' })
    await changeRound(tx, round.id, { state: 'locked', locked_at: now, locked_by: caller.user.id, asked_at: null })
    await recordRound(tx, round, { did: 'accepted', by: caller.user.id, now })
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
  const head = await loadLetterhead(ctx)
  const { id } = await inTransaction(ctx.db, `event ${key.eventId}`, async (tx) => {
    const before = await getCurrentRound(tx, key)
    if (!isSent(before)) throw new AppError('INVALID_STATE', { text: 'These picks are not submitted.' })
    const numbers = changeNumbers(before, sent)
    assertNumbers(numbers)
    const reopened = { message: message.trim() }
    const round = await startRound(tx, { eventId: event.id, guestId: before.guest_id, numbers, reopened })
    await recordRound(tx, before, { did: 'reopened', by: caller.user.id, now })
    const guest = await findGuest(tx, event.id, before.guest_id)
    const data = {
      event: eventData(event, head.origin),
      round: {
        ...{ id: round.id, number: round.number },
        guest: guestRecord(guest ?? { id: before.guest_id, name: null, email: null }),
        ...{ ...reopened, ...numbers },
      },
    }
    await announce(tx, 'selection.reopened', data, now)
    const recipient = await findRoundRecipient(ctx, tx, event, {
      guestId: before.guest_id,
      origin: head.origin,
      canAsk: true,
    })
    if (recipient) {
      const selection = await findSelectionOfRound(tx, before.id)
      const mail = { kind: 'selection_reopened', guest: recipient, ...reopened } as const
      const about = { ...(selection && { selectionId: selection.id }), numbers: await describeTerms(tx, round) }
      await mailRound(ctx, tx, head, event, { ...mail, ...about })
    }
    return round
  })
  ctx.changes.notify('delivery', key.eventId)
  ctx.changes.notify('mail', key.eventId)
  return showRound(ctx, event, id)
}

const betweenRemindersMs = hours(24)

/**
 * Mails the guest that the picks are still open. Throws NOT_FOUND, FORBIDDEN, EVENT_ARCHIVED, and INVALID_STATE if the
 * picks are sent, the guest cannot open the gallery or gets no mails, or was reminded in the last 24 hours.
 */
export async function remindRound(ctx: AppContext, caller: AccountCaller, key: RoundKey): Promise<RoundRecord> {
  const event = await getOwnedEvent(ctx, caller, key.eventId)
  const now = ctx.clock.now()
  const head = await loadLetterhead(ctx)
  await inTransaction(ctx.db, `event ${key.eventId}`, async (tx) => {
    const round = await getCurrentRound(tx, key)
    if (isSent(round)) throw new AppError('INVALID_STATE', { text: 'These picks are already submitted.' })
    if (round.reminded_at !== null && round.reminded_at > now - betweenRemindersMs) {
      throw new AppError('INVALID_STATE', { text: 'The guest was reminded in the last 24 hours.' })
    }
    const guest = await findRoundRecipient(ctx, tx, event, {
      guestId: round.guest_id,
      origin: head.origin,
      canAsk: true,
    })
    if (!guest) {
      const text = 'The guest cannot open the gallery now, or has no address that gets mails: see `mail` of the round.'
      throw new AppError('INVALID_STATE', { text })
    }
    await changeRound(tx, round.id, { reminded_at: now })
    const count = (await countPicks(tx, event.id, [round.guest_id])).get(round.guest_id) ?? 0
    const numbers = await describeTerms(tx, round)
    await mailRound(ctx, tx, head, event, { kind: 'selection_reminder', guest, count, numbers })
  })
  ctx.changes.notify('mail', key.eventId)
  return showRound(ctx, event, key.roundId)
}

/** Returns what can be picked in a round. */
async function describeTerms(tx: Tx, { event_id, included, minimum, maximum, due_on }: RoundRow) {
  const { purpose, extra_text } = must(await findPackage(tx, event_id), 'the package of the event')
  return { purpose, included, minimum, maximum, extra_text, due_on }
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

type RoundStep = { did: 'accepted' | 'reopened' | 'requested'; by: number | null; now: number }

/** The step of an operator marks the selection as done, and that of its guest as open. After the commit, notify `live`. */
export async function recordRound(
  tx: Tx,
  { id, event_id, guest_id }: RoundRow,
  { did, by, now }: RoundStep,
): Promise<void> {
  const selection = await findSelectionOfRound(tx, id)
  if (!selection) return
  const isDone = did !== 'requested'
  if ((selection.done_at !== null) !== isDone)
    await setSelectionDone(tx, selection.id, { done_at: isDone ? now : null, done_by: by })
  const data = { did, selection_id: selection.id, number: selection.number, count: selection.photo_count }
  await recordLiveEvent(tx, { event_id, type: 'selection', guest_id, data }, now)
}

async function showRound(ctx: AppContext, event: EventRow, id: number): Promise<RoundRecord> {
  ctx.changes.notify('live', event.id)
  return must(await findRoundRecord(ctx, event, id), 'the changed round')
}
