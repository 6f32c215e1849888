import { AppError } from '../platform/app-error.ts'
import { minutes } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { BeforeWrite } from '../platform/storage/storage.ts'
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
/** A session that received no chunk for this time may be ended for another one. */
const idleMs = minutes(5)
const retryAfterSeconds = 15

export type GuestUploader = { eventId: number; guestId: string }

/** Bytes that guests of the event hold: those of the guest, and all. */
type Held = { byGuest: number; byEvent: number }
type Limits = Held

export type GuestBudgets = ReturnType<typeof createGuestBudgets>

/** Counts forms in this process, because their files are on its disk; sessions are counted in the database. */
export function createGuestBudgets() {
  const forms = new Map<string, number>()
  const keysOf = ({ eventId, guestId }: GuestUploader) => [`${eventId} ${guestId}`, `${eventId}`] as const
  const add = (key: string, bytes: number) => {
    const sum = (forms.get(key) ?? 0) + bytes
    if (sum > 0) forms.set(key, sum)
    else forms.delete(key)
  }
  const heldByForms = (guest: GuestUploader): Held => {
    const [byGuest = 0, byEvent = 0] = keysOf(guest).map((key) => forms.get(key) ?? 0)
    return { byGuest, byEvent }
  }

  return {
    /**
     * Calls `receive` with a function that takes the budget of a form; everything is given back when `receive` ends.
     * The function throws FILE_TOO_LARGE if the form alone exceeds the budget, RATE_LIMITED or STORAGE_FULL.
     */
    async withForm<T>(ctx: AppContext, guest: GuestUploader, receive: (beforeWrite: BeforeWrite) => Promise<T>) {
      const limits = await loadLimits(ctx)
      const inSessions = await sumSessions(ctx, guest)
      let takenBytes = 0
      const take = async (bytes: number): Promise<void> => {
        if (takenBytes + bytes > limits.byGuest) throw tooMuchInOneForm()
        assertWithin(limits, sum(inSessions, heldByForms(guest)), bytes)
        await ctx.storage.ensureSpaceFor(bytes, 'guest')
        takenBytes += bytes
        for (const key of keysOf(guest)) add(key, bytes)
      }
      try {
        return await receive(takePerMebibyte(take))
      } finally {
        for (const key of keysOf(guest)) add(key, -takenBytes)
      }
    },

    /** For the next chunk of a session. Throws RATE_LIMITED or STORAGE_FULL. */
    async assertChunkFits(ctx: AppContext, guest: GuestUploader, bytes: number): Promise<void> {
      const held = sum(await sumSessions(ctx, guest), heldByForms(guest))
      assertWithin(await loadLimits(ctx), held, bytes)
    },
  }
}

async function loadLimits({ settings, storage }: AppContext): Promise<Limits> {
  const values = await settings.values()
  const { freeBytes, reservedFromGuestsBytes } = await storage.space()
  const maxFileBytes = Math.max(maxBytesForFamily('image', values), maxBytesForFamily('video', values))
  return {
    byGuest: maxFileBytes + extraGuestBytes,
    byEvent: Math.max(0, freeBytes - reservedFromGuestsBytes) * eventShare,
  }
}

async function sumSessions(ctx: AppContext, { eventId, guestId }: GuestUploader): Promise<Held> {
  const { byGuest, byEvent } = await selectOpenSessions(ctx.db, eventId, ctx.clock.now())
    .select(({ fn, eb }) => [
      fn.coalesce(fn.sum<number>('received_bytes'), eb.lit(0)).as('byEvent'),
      fn
        .coalesce(
          fn.sum<number>(eb.case().when('guest_id', '=', guestId).then(eb.ref('received_bytes')).end()),
          eb.lit(0),
        )
        .as('byGuest'),
    ])
    .executeTakeFirstOrThrow()
  return { byGuest: Number(byGuest), byEvent: Number(byEvent) }
}

/** The sessions of guests. */
const selectOpenSessions = (db: Database | Tx, eventId: number, now: number) =>
  db
    .selectFrom('chunked_uploads')
    .where('event_id', '=', eventId)
    .where('guest_id', 'is not', null)
    .where('status', '=', 'in_progress')
    .where('expires_at', '>', now)

const sum = (a: Held, b: Held): Held => ({ byGuest: a.byGuest + b.byGuest, byEvent: a.byEvent + b.byEvent })

function assertWithin(limits: Limits, held: Held, bytes: number): void {
  if (held.byGuest + bytes > limits.byGuest) throw tooMuchAtOnce()
  if (held.byEvent + bytes > limits.byEvent) throw new AppError('STORAGE_FULL', { text: noRoomForGuests })
}

/**
 * Must run in the transaction that creates the session. Ends the session that was idle for longest if the guest or the
 * event has too many, and returns it, so that its file is removed after the commit. Throws RATE_LIMITED if none is idle.
 */
export async function makeRoomForSession(
  tx: Tx,
  { eventId, guestId }: GuestUploader,
  now: number,
): Promise<UploadRow | null> {
  const open = await selectOpenSessions(tx, eventId, now).selectAll().orderBy('active_at').execute()
  const own = open.filter((session) => session.guest_id === guestId)
  const crowd = own.length >= sessionsPerGuest ? own : open.length >= sessionsPerEvent ? open : []
  const [longestIdle] = crowd
  if (!longestIdle) return null
  if (longestIdle.active_at > now - idleMs) throw tooMuchAtOnce()
  await tx.deleteFrom('chunked_uploads').where('id', '=', longestIdle.id).execute()
  return longestIdle
}

const noRoomForGuests = 'There is no room for more uploads of guests just now.'

const tooMuchAtOnce = (): AppError =>
  new AppError('RATE_LIMITED', {
    retryAfterSeconds,
    text: 'This is more at once than one guest may upload. Wait until the other uploads have ended.',
  })

const tooMuchInOneForm = (): AppError =>
  new AppError('FILE_TOO_LARGE', { text: 'This is more than one request may bring. Send the photos in several.' })
