import type { Readable } from 'node:stream'
import { AppError } from '../platform/app-error.ts'
import { createKeyedMutex } from '../platform/background/keyed-mutex.ts'
import { seconds } from '../platform/clock.ts'

export type UploadGate = ReturnType<typeof createUploadGate>

type Send = { body: Readable; lastByteAt: number }

/**
 * A silent request is ended after this time when another one for the same chunk waits: its client has started again.
 */
const maxSilenceMs = seconds(5)

/**
 * Requests for one chunk run one after another. During completion nothing is written, and chunks that are being sent
 * count as missing.
 */
export function createUploadGate() {
  const withChunkLock = createKeyedMutex()
  const withUploadLock = createKeyedMutex()
  const running = new Map<string, Send>()
  const sending = new Map<string, Map<number, number>>()
  const completing = new Set<string>()

  function count(uploadId: string, index: number, by: 1 | -1): void {
    const counts = sending.get(uploadId) ?? new Map<number, number>()
    const left = (counts.get(index) ?? 0) + by
    if (left > 0) counts.set(index, left)
    else counts.delete(index)
    if (counts.size > 0) sending.set(uploadId, counts)
    else sending.delete(uploadId)
  }

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
      count(uploadId, index, 1)
      try {
        return await withChunkLock(key, async () => {
          clearInterval(silenceTimer)
          const send: Send = { body, lastByteAt: performance.now() }
          running.set(key, send)
          const onByte = () => {
            send.lastByteAt = performance.now()
          }
          return await work(onByte).finally(() => running.delete(key))
        })
      } finally {
        count(uploadId, index, -1)
      }
    },

    /** Runs one completion for each upload at a time. */
    complete: <T>(uploadId: string, work: (sendingIndexes: ReadonlySet<number>) => Promise<T>): Promise<T> =>
      withUploadLock(uploadId, async () => {
        completing.add(uploadId)
        try {
          return await work(new Set(sending.get(uploadId)?.keys()))
        } finally {
          completing.delete(uploadId)
        }
      }),

    /** Waits until the upload is not being completed. */
    abort: <T>(uploadId: string, work: () => Promise<T>): Promise<T> => withUploadLock(uploadId, work),
  }
}

export const completingError = (): AppError => new AppError('INVALID_STATE', { text: 'The upload is being completed.' })
