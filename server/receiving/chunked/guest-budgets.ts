import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { ReserveSpace } from '../../platform/storage/storage.ts'
import { takePerMebibyte } from '../../platform/storage/take-space.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { maxBytesForFamily } from '../../settings/file-type-rules.ts'
import {
  discardSessions,
  endIdleSession,
  type GuestBytes,
  type GuestUpload,
  type GuestUploader,
  sumSessions,
  tooMuchAtOnce,
} from './guest-sessions.ts'
import { recordBegunChunk, type UploadRow } from './upload-rows.ts'

// How much of the disk guests may use for uploads that are not photos yet. Only the free space limits operators.
// Anybody can become a new guest, so the event has a budget, too. An address has none, because all guests of a wedding
// can have the same one.

/** A guest may use this in addition to one file of the maximum size. */
const extraGuestBytes = 200 * 2 ** 20
/** The guests of an event may use this share of the space that is free for guests. */
const eventShare = 0.25

export type GuestBudgets = ReturnType<typeof createGuestBudgets>

/** Forms count in this process, because their files are on its disk. Sessions count in the database, for all nodes. */
export function createGuestBudgets() {
  const forms = createFormCounts()

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
     * Counts a chunk before it is written, but not if it is sent again, which takes no more space. If a budget is
     * exceeded, ends idle sessions. Throws RATE_LIMITED or STORAGE_FULL.
     */
    async takeChunk(ctx: AppContext, upload: GuestUpload, index: number, bytes: number): Promise<void> {
      const { clock, db } = ctx
      const guest = { eventId: upload.event_id, guestId: upload.guest_id }
      const limits = await loadLimits(ctx)
      const ended = await inTransaction(db, `event ${upload.event_id}`, async (tx) => {
        const now = clock.now()
        const takenBytes = (await recordBegunChunk(tx, upload.id, index)) ? bytes : 0
        await tx
          .updateTable('chunked_uploads')
          .set((row) => ({ active_at: now, received_bytes: row('received_bytes', '+', takenBytes) }))
          .where('id', '=', upload.id)
          .execute()
        return endIdleSessions(tx, guest, { limits, inForms: forms.of(guest), now })
      })
      await discardSessions(ctx, ended)
    },
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

const tooMuchInOneForm = (): AppError =>
  new AppError('FILE_TOO_LARGE', {
    text: 'The request is too large. Send the photos in several requests.',
  })

const excessErrors: Record<keyof GuestBytes, () => AppError> = {
  byGuest: tooMuchAtOnce,
  byEvent: () => new AppError('STORAGE_FULL', { text: 'The space for guest uploads is full. Try again later.' }),
}
