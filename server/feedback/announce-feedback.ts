import { eventData } from '../events/event-announcements.ts'
import { findEvent } from '../events/event-rows.ts'
import { findGuest, guestRecord } from '../events/guests/guest-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import { isoTime, minutes, seconds } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { announce } from '../webhooks/announce.ts'
import {
  claimFeedbackChange,
  type DueTimes,
  dueFeedbackChanges,
  type FeedbackChangeRow,
} from './feedback-change-rows.ts'
import { countFeedback, feedbackCountsRecord, noCounts } from './marks/feedback-counts.ts'

const quietMs = seconds(30)
const maxWaitMs = minutes(5)
const batchSize = 500

/**
 * For each guest of an event, queues one webhook message for all feedback changes: after 30 seconds without a change,
 * or 5 minutes after the first change.
 */
export async function announceFeedback({ db, clock, changes, settings }: AppContext): Promise<void> {
  const now = clock.now()
  const dueTimes = { quietSince: now - quietMs, firstBefore: now - maxWaitMs }
  const due = await inSnapshot(db, (tx) => dueFeedbackChanges(tx, dueTimes, batchSize))
  if (due.length === 0) return
  const origin = await settings.linkOrigin()
  for (const change of due) {
    await inTransaction(db, `event ${change.event_id}`, (tx) => notify(tx, change, { dueTimes, origin, now }))
  }
  changes.notify('delivery', null)
}

type AnnounceOptions = { dueTimes: DueTimes; origin: string; now: number }

/** Does nothing if a further change has delayed the message, another process has queued it, or the event is deleted. */
async function notify(
  tx: Tx,
  change: Pick<FeedbackChangeRow, 'event_id' | 'guest_id'>,
  { dueTimes, origin, now }: AnnounceOptions,
): Promise<void> {
  const { event_id: eventId, guest_id: guestId } = change
  const taken = await claimFeedbackChange(tx, change, dueTimes)
  const event = taken && (await findEvent(tx, eventId))
  if (!event) return
  // A guest without a name or mail address may have no row.
  const guest = (await findGuest(tx, eventId, guestId)) ?? { id: guestId, name: null, email: null }
  const counts = (await countFeedback(tx, eventId, [guestId])).get(guestId) ?? noCounts
  const feedback = {
    ...feedbackCountsRecord(counts),
    first_changed_at: isoTime(taken.first_at),
    last_changed_at: isoTime(taken.last_at),
  }
  await announce(tx, 'feedback.changed', { event: eventData(event, origin), guest: guestRecord(guest), feedback }, now)
}
