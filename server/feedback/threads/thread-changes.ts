import type { ThreadState } from '../../../contract/gallery/threads.ts'
import type { LiveOperation } from '../../../contract/live.ts'
import { eventData } from '../../events/event-announcements.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { findGuest, guestRecord } from '../../events/guests/guest-rows.ts'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { announce } from '../../webhooks/announce.ts'
import { setSettled, type ThreadRow } from './thread-rows.ts'

/** Tells the live streams. After the commit, call `changes.notify('live', eventId)`. */
export function recordThreadChange(tx: Tx, thread: ThreadRow, did: LiveOperation, now: number): Promise<void> {
  const { id: thread_id, event_id, photo_id, guest_id, kind } = thread
  const data = { did, thread_id, thread_kind: kind }
  return recordLiveEvent(tx, { event_id, type: 'thread', guest_id, data, ...(photo_id !== null && { photo_id }) }, now)
}

/** Marks a thread as done or opens it again, unless it has the state already. `by` is the account; null for the guest. */
export async function changeState(
  tx: Tx,
  thread: ThreadRow,
  state: ThreadState,
  { by, now }: { by: number | null; now: number },
): Promise<void> {
  const isDone = state === 'done'
  if ((thread.settled_at !== null) === isDone) return
  await setSettled(tx, thread.id, isDone ? { at: now, by } : null)
  await recordThreadChange(tx, thread, isDone ? 'settled' : 'reopened', now)
}

/**
 * Queues the webhook messages about a new thread, without its text, which is private for most kinds. After the commit,
 * call `changes.notify('delivery', null)`.
 */
export async function announceThread(tx: Tx, event: EventRow, thread: ThreadRow, origin: string): Promise<void> {
  const { id, kind, photo_id, guest_id, created_at } = thread
  const guest = (await findGuest(tx, event.id, guest_id)) ?? { id: guest_id, name: null, email: null }
  const data = { id, kind, photo_id, created_at: isoTime(created_at) }
  const whole = { event: eventData(event, origin), thread: data, guest: guestRecord(guest) }
  await announce(tx, 'thread.created', whole, created_at)
}
