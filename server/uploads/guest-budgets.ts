import { AppError } from '../platform/app-error.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { minutes, seconds } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { ReserveSpace } from '../platform/storage/storage.ts'
import { takePerMebibyte } from '../platform/storage/take-space.ts'
import type { AppContext } from '../settings/app-context.ts'
import { maxBytesForFamily } from '../settings/file-type-rules.ts'
import type { UploadRow } from './upload-rows.ts'

// How much of the disk guests may hold with what is not stored as a photo yet. Operators are limited by the free space
// alone. A new guest costs nothing, so the event has a budget, too. An address has none: a wedding is one address.

const sessionsPerGuest = 3
const sessionsPerEvent = 1_500
/** A guest may hold one file of the maximum size and this. */
const extraGuestBytes = 200 * 2 ** 20
/** The guests of an event may hold this share of the space that is free for guests. */
const eventShare = 0.25
/** A session without a chunk for this time is ended when its budget is needed; without any chunk, much sooner. */
const idleMs = minutes(5)
const emptyIdleMs = minutes(1)
/** A chunk may take longer than `idleMs` to arrive. */
const renewMs = minutes(1)
const retryAfterSeconds = 15

type GuestUploader = { eventId: number; guestId: string }
type GuestUpload = UploadRow & { guest_id: string }

/** Bytes of the guest, and of all guests of the event. */
type GuestBytes = { byGuest: number; byEvent: number }

export type GuestBudgets = ReturnType<typeof createGuestBudgets>

export const isGuestUpload = (upload: UploadRow): upload is GuestUpload => upload.guest_id !== null

/** Forms count in this process, because their files are on its disk. Sessions count in the database, for all nodes. */
export function createGuestBudgets() {
  const forms = createFormCounts()
  /** Chunks that count already: sending one again takes no more space. */
  const countedChunks = new RecentMap<string, true>(100_000)

  return {
    /**
     * Calls `receive` with a function that takes the budget of a form; everything is given back when `receive` ends.
     * The function throws FILE_TOO_LARGE if the form alone exceeds the budget, RATE_LIMITED, STORAGE_FULL and
     * StorageFull.
     */
    async withForm<T>(ctx: AppContext, guest: GuestUploader, receive: (reserveSpace: ReserveSpace) => Promise<T>) {
      let limits = await loadLimits(ctx)
      let inSessions = await sumSessions(ctx.db, guest, ctx.clock.now())
      let loadedAt = performance.now()
      let takenBytes = 0
      const take = async (bytes: number): Promise<void> => {
        takenBytes += bytes
        forms.add(guest, bytes)
        if (performance.now() - loadedAt > seconds(10)) {
          limits = await loadLimits(ctx)
          inSessions = await sumSessions(ctx.db, guest, ctx.clock.now())
          loadedAt = performance.now()
        }
        if (takenBytes > limits.byGuest) throw tooMuchInOneForm()
        const excess = findExcess(limits, sum(inSessions, forms.of(guest)))
        if (excess) throw excessErrors[excess]()
        await ctx.storage.ensureSpaceFor(bytes, 'guest')
      }
      try {
        return await receive(takePerMebibyte(take))
      } finally {
        forms.add(guest, -takenBytes)
      }
    },

    /**
     * Counts a chunk before it is written. If a budget is exceeded, ends idle sessions. Throws RATE_LIMITED or
     * STORAGE_FULL.
     */
    async takeChunk(ctx: AppContext, upload: GuestUpload, index: number, bytes: number): Promise<void> {
      const { clock, db } = ctx
      const chunk = `${upload.parted_handle}/${index}`
      const guest = { eventId: upload.event_id, guestId: upload.guest_id }
      const takenBytes = countedChunks.get(chunk) ? 0 : bytes
      const limits = await loadLimits(ctx)
      const ended = await inTransaction(db, `event ${upload.event_id}`, async (tx) => {
        const now = clock.now()
        await tx
          .updateTable('chunked_uploads')
          .set((row) => ({ active_at: now, received_bytes: row('received_bytes', '+', takenBytes) }))
          .where('id', '=', upload.id)
          .execute()
        return endIdleSessions(tx, guest, { limits, inForms: forms.of(guest), now })
      })
      countedChunks.set(chunk, true)
      await discardSessions(ctx, ended)
    },
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

/** Bytes of forms that are being received, by guest and by event. */
function createFormCounts() {
  const counts = new Map<string, number>()
  const keysOf = ({ eventId, guestId }: GuestUploader) => [`${eventId} ${guestId}`, `${eventId}`] as const
  return {
    of: (guest: GuestUploader): GuestBytes => {
      const [byGuest = 0, byEvent = 0] = keysOf(guest).map((key) => counts.get(key) ?? 0)
      return { byGuest, byEvent }
    },
    add(guest: GuestUploader, bytes: number): void {
      for (const key of keysOf(guest)) {
        const left = (counts.get(key) ?? 0) + bytes
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

/** With object storage, the chunks of sessions are in the bucket and need no space of the event on this disk. */
async function loadLimits({ settings, storage }: AppContext): Promise<GuestBytes> {
  const values = await settings.values()
  const { freeBytes, reservedFromGuestsBytes, isUnlimited } = await storage.space()
  const maxFileBytes = Math.max(maxBytesForFamily('image', values), maxBytesForFamily('video', values))
  return {
    byGuest: maxFileBytes + extraGuestBytes,
    byEvent: isUnlimited ? Number.POSITIVE_INFINITY : Math.max(0, freeBytes - reservedFromGuestsBytes) * eventShare,
  }
}

async function sumSessions(db: Database | Tx, { eventId, guestId }: GuestUploader, now: number): Promise<GuestBytes> {
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

/** The sessions of guests. */
const selectOpenSessions = (db: Database | Tx, eventId: number, now: number) =>
  db
    .selectFrom('chunked_uploads')
    .where('event_id', '=', eventId)
    .where('status', '=', 'in_progress')
    .where('guest_id', 'is not', null)
    .where('expires_at', '>', now)

const sum = (a: GuestBytes, b: GuestBytes): GuestBytes => ({
  byGuest: a.byGuest + b.byGuest,
  byEvent: a.byEvent + b.byEvent,
})

function findExcess(limits: GuestBytes, held: GuestBytes): keyof GuestBytes | null {
  if (held.byGuest > limits.byGuest) return 'byGuest'
  return held.byEvent > limits.byEvent ? 'byEvent' : null
}

/** Ends idle sessions until the budgets are kept, and returns them. Throws RATE_LIMITED or STORAGE_FULL. */
async function endIdleSessions(
  tx: Tx,
  guest: GuestUploader,
  { limits, inForms, now }: { limits: GuestBytes; inForms: GuestBytes; now: number },
): Promise<UploadRow[]> {
  const ended: UploadRow[] = []
  for (;;) {
    const excess = findExcess(limits, sum(await sumSessions(tx, guest, now), inForms))
    if (!excess) return ended
    const idle = await endIdleSession(tx, guest, now, { isOwn: excess === 'byGuest' })
    if (!idle) throw excessErrors[excess]()
    ended.push(idle)
  }
}

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

/** Ends the session that was idle for longest. Sessions that are being completed are not idle. */
async function endIdleSession(
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

/** The sweep removes what cannot be removed now. */
export async function discardSessions({ storage, log }: AppContext, sessions: readonly UploadRow[]): Promise<void> {
  for (const { parted_handle } of sessions) {
    await storage.multipart
      .discard(parted_handle)
      .catch((err) => log.warn({ err }, 'Could not remove the chunks of an ended upload'))
  }
}

const tooMuchAtOnce = (): AppError =>
  new AppError('RATE_LIMITED', {
    retryAfterSeconds,
    text: 'This is more at once than one guest may upload. Wait until the other uploads have ended.',
  })

const tooManySessions = (): AppError =>
  new AppError('RATE_LIMITED', {
    retryAfterSeconds,
    text: 'Too many guests upload at the moment. Try again in a moment.',
  })

const tooMuchInOneForm = (): AppError =>
  new AppError('FILE_TOO_LARGE', {
    text: 'This is more than one request may bring. Send the photos in several requests.',
  })

const excessErrors: Record<keyof GuestBytes, () => AppError> = {
  byGuest: tooMuchAtOnce,
  byEvent: () => new AppError('STORAGE_FULL', { text: 'There is no room for more uploads of guests just now.' }),
}
