import type { Readable } from 'node:stream'
import { createKeyedMutex } from '../../platform/background/keyed-mutex.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { createGuestBudgets, type GuestBudgets } from './guest-budgets.ts'

export type UploadsContext = AppContext & {
  uploadGate: ReturnType<typeof createUploadGate>
  guestBudgets: GuestBudgets
}

export const createUploadsContext = (ctx: AppContext): UploadsContext => ({
  ...ctx,
  uploadGate: createUploadGate(),
  guestBudgets: createGuestBudgets(),
})

type Send = { body: Readable; lastByteAt: number }

/**
 * A request without new bytes is ended after this time if another request for the same chunk waits: the client has
 * probably sent the chunk again.
 */
const maxSilenceMs = seconds(5)

/**
 * In one process, requests for the same chunk run one after another. A completion counts chunks that are being sent as
 * missing.
 */
export function createUploadGate() {
  const withChunkLock = createKeyedMutex()
  const withUploadLock = createKeyedMutex()
  const running = new Map<string, Send>()
  const sending = createSendCounts()
  const completing = new Set<string>()

  function abortSilentSend(key: string): void {
    const send = running.get(key)
    const isSilent = send && !send.body.readableEnded && performance.now() - send.lastByteAt > maxSilenceMs
    if (isSilent) send.body.destroy()
  }

  return {
    isCompleting: (uploadId: string): boolean => completing.has(uploadId),

    /** `work` must call `onByte` when bytes arrive. Throws INVALID_STATE while the upload is being completed. */
    async send<T>(
      uploadId: string,
      index: number,
      body: Readable,
      work: (onByte: () => void) => Promise<T>,
    ): Promise<T> {
      if (completing.has(uploadId)) throw completingError()
      const key = `${uploadId}/${index}`
      const silenceTimer = setInterval(abortSilentSend, seconds(1), key)
      sending.add(uploadId, index, 1)
      try {
        return await withChunkLock(key, async () => {
          clearInterval(silenceTimer)
          const send: Send = { body, lastByteAt: performance.now() }
          running.set(key, send)
          const onByte = () => {
            send.lastByteAt = performance.now()
          }
          return work(onByte).finally(() => running.delete(key))
        })
      } finally {
        sending.add(uploadId, index, -1)
      }
    },

    /** Runs one completion of an upload at a time. `sendingIndexes`: the chunks that are being sent. */
    complete: <T>(uploadId: string, work: (sendingIndexes: ReadonlySet<number>) => Promise<T>): Promise<T> =>
      withUploadLock(uploadId, async () => {
        completing.add(uploadId)
        try {
          return await work(sending.indexes(uploadId))
        } finally {
          completing.delete(uploadId)
        }
      }),

    /** Waits while the upload is being completed. */
    abort: <T>(uploadId: string, work: () => Promise<T>): Promise<T> => withUploadLock(uploadId, work),
  }
}

/** The number of requests for each chunk that is being sent. */
function createSendCounts() {
  const uploads = new Map<string, Map<number, number>>()
  return {
    add(uploadId: string, index: number, by: 1 | -1): void {
      const counts = uploads.get(uploadId) ?? new Map<number, number>()
      const left = (counts.get(index) ?? 0) + by
      if (left > 0) counts.set(index, left)
      else counts.delete(index)
      if (counts.size > 0) uploads.set(uploadId, counts)
      else uploads.delete(uploadId)
    },
    indexes: (uploadId: string): ReadonlySet<number> => new Set(uploads.get(uploadId)?.keys()),
  }
}

export const completingError = (): AppError => new AppError('INVALID_STATE', { text: 'The upload is being completed.' })
