import type { Database, Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { minutes } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { GuestBelongings } from '../../settings/belongings.ts'
import type { UploadRow } from './upload-rows.ts'

const sessionsPerGuest = 3
const sessionsPerEvent = 1_500
/** A session without a chunk for this time is ended when its budget is needed; without any chunk, much sooner. */
const idleMs = minutes(5)
const emptyIdleMs = minutes(1)
/** A chunk may take longer than `idleMs` to arrive. */
const renewMs = minutes(1)
const retryAfterSeconds = 15

export type GuestUploader = { eventId: number; guestId: string }
export type GuestUpload = UploadRow & { guest_id: string }

/** Bytes of the guest, and of all guests of the event. */
export type GuestBytes = { byGuest: number; byEvent: number }

export const isGuestUpload = (upload: UploadRow): upload is GuestUpload => upload.guest_id !== null

/** Returns the received bytes of the open sessions. */
export async function sumSessions(
  db: Database | Tx,
  { eventId, guestId }: GuestUploader,
  now: number,
): Promise<GuestBytes> {
  const rows = await selectOpenSessions(db, eventId, now)
    .select(({ fn, eb }) => [
      eb.case().when('guest_id', '=', guestId).then(eb.lit(1)).else(eb.lit(0)).end().as('is_own'),
      fn.sum<number>('received_bytes').as('bytes'),
    ])
    .groupBy('is_own')
    .execute()
  const bytesOf = (isOwn: number) => Number(rows.find((row) => Number(row.is_own) === isOwn)?.bytes ?? 0)
  return { byGuest: bytesOf(1), byEvent: bytesOf(0) + bytesOf(1) }
}

/** The open sessions of the guests of an event. */
const selectOpenSessions = (db: Database | Tx, eventId: number, now: number) =>
  db
    .selectFrom('chunked_uploads')
    .where('event_id', '=', eventId)
    .where('status', '=', 'in_progress')
    .where('guest_id', 'is not', null)
    .where('expires_at', '>', now)

/**
 * Must run in the transaction that creates the session. Ends an idle session if the guest or the event has too many,
 * and returns it: after the commit, the calling function must discard its file. Throws RATE_LIMITED if none is idle.
 */
export async function makeRoomForSession(tx: Tx, guest: GuestUploader, now: number): Promise<UploadRow[]> {
  const open = selectOpenSessions(tx, guest.eventId, now).select(({ fn }) => fn.countAll<number>().as('count'))
  const own = await open.where('guest_id', '=', guest.guestId).executeTakeFirstOrThrow()
  const all = await open.executeTakeFirstOrThrow()
  const isOwn = Number(own.count) >= sessionsPerGuest
  if (!isOwn && Number(all.count) < sessionsPerEvent) return []
  const idle = await endIdleSession(tx, guest, now, { isOwn })
  if (idle) return [idle]
  throw isOwn ? tooMuchAtOnce() : tooManySessions()
}

/**
 * Ends the session that was idle for longest, and returns it, or null if none is idle. Sessions that are being
 * completed are not idle.
 */
export async function endIdleSession(
  tx: Tx,
  { eventId, guestId }: GuestUploader,
  now: number,
  { isOwn }: { isOwn: boolean },
): Promise<UploadRow | null> {
  const session = await selectOpenSessions(tx, eventId, now)
    .selectAll()
    .where('completing_until', '<=', now)
    .where((where) =>
      where.or([
        where('active_at', '<=', now - idleMs),
        where.and([where('received_bytes', '=', 0), where('active_at', '<=', now - emptyIdleMs)]),
      ]),
    )
    .$if(isOwn, (query) => query.where('guest_id', '=', guestId))
    .orderBy('active_at')
    .limit(1)
    .executeTakeFirst()
  if (!session) return null
  await tx.deleteFrom('chunked_uploads').where('id', '=', session.id).execute()
  return session
}

export const uploadsOfGuests: GuestBelongings = {
  tables: ['chunked_uploads'],
  async erase(tx, { eventId, guestIds }) {
    const uploads = await tx
      .deleteFrom('chunked_uploads')
      .where('event_id', '=', eventId)
      .where('guest_id', 'in', guestIds)
      .returningAll()
      .execute()
    const open = uploads.filter(({ status }) => status === 'in_progress')
    return { counts: { uploads: uploads.length }, afterCommit: (ctx) => discardSessions(ctx, open) }
  },
}

/** The sweep removes what cannot be removed now. */
export async function discardSessions(
  { storage, log }: PlatformContext,
  sessions: readonly UploadRow[],
): Promise<void> {
  for (const { parted_handle } of sessions) {
    await storage.multipart
      .discard(parted_handle)
      .catch((err) => log.warn({ err }, 'Could not remove the chunks of an ended upload'))
  }
}

/** Returns a function that keeps the session of a slow chunk from being idle; call it while bytes arrive. */
export function createActivityRecorder({ db, clock, log }: AppContext, { id }: GuestUpload): () => void {
  let renewedAt = clock.now()
  return () => {
    const now = clock.now()
    if (now - renewedAt < renewMs) return
    renewedAt = now
    db.updateTable('chunked_uploads')
      .set({ active_at: now })
      .where('id', '=', id)
      .execute()
      .catch((err) => log.warn({ err }, 'Could not record that an upload is active'))
  }
}

export const tooMuchAtOnce = (): AppError =>
  new AppError('RATE_LIMITED', {
    retryAfterSeconds,
    text: 'You have too many uploads in progress. Wait until the other uploads have ended.',
  })

const tooManySessions = (): AppError =>
  new AppError('RATE_LIMITED', {
    retryAfterSeconds,
    text: 'Too many guests are uploading. Try again in a moment.',
  })
