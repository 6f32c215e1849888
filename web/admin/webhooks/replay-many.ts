import { replayDelivery } from './webhooks-query.ts'

type Watch = { onDone: (done: number) => void; signal: AbortSignal }

/**
 * Tells them again one after the other, in their order, so that the receiver hears of them as they happened. Ends at the
 * first that is refused. Throws ApiError and Unreachable. Answers how many it has queued.
 */
export async function replayMany(
  webhookId: number,
  ids: readonly number[],
  { onDone, signal }: Watch,
): Promise<number> {
  let done = 0
  for (const id of ids) {
    if (signal.aborted) break
    await replayDelivery(webhookId, id)
    onDone(++done)
  }
  return done
}
