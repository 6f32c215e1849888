import { replayDelivery } from './webhooks-query.ts'

type ReplayOptions = { onDone: (done: number) => void; signal: AbortSignal }

/**
 * Replays deliveries one after the other, so that they arrive in their order, and stops at the first rejection. Returns
 * the number of queued replays. Throws ApiError and Unreachable.
 */
export async function replayMany(
  webhookId: number,
  ids: readonly number[],
  { onDone, signal }: ReplayOptions,
): Promise<number> {
  let done = 0
  for (const id of ids) {
    if (signal.aborted) break
    await replayDelivery(webhookId, id)
    onDone(++done)
  }
  return done
}
