import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../app/language.ts'
import { showError, showNotice } from '../components/notices.tsx'
import { type DeliverySummary, fetchDeliveries, invalidateWebhooks, replayDelivery } from './webhooks-query.ts'

const t = translator('webhooks')

/**
 * Replays deliveries one after the other, so that they are queued in the order of `ids`. Stops at the first error, or
 * when the signal given to `replay.mutate` is aborted. `done` is the number of queued replays.
 */
export function useReplay(webhookId: number, ids: readonly number[], onReplayed: () => void) {
  const [done, setDone] = useState(0)
  const replay = useMutation({
    mutationFn: async (signal: AbortSignal | null) => {
      let count = 0
      for (const id of ids) {
        if (signal?.aborted) break
        await replayDelivery(webhookId, id)
        setDone(++count)
      }
      return count
    },
    onSuccess: (count) => {
      showNotice(t('replayed', { count }))
      onReplayed()
    },
    onError: showError,
    onSettled: invalidateWebhooks,
  })
  return { replay, done }
}

const pageSize = 100

/**
 * Returns the deliveries of a webhook, newest first, back to at least the oldest failed one. Includes successful ones,
 * because they may be replays of failed ones. Throws ApiError, Unreachable or the abort reason.
 */
export async function loadReplayableDeliveries(webhookId: number, signal: AbortSignal): Promise<DeliverySummary[]> {
  const { pagination } = await fetchDeliveries(webhookId, { status: 'failed', limit: 1 }, signal)
  const deliveriesById = new Map<number, DeliverySummary>()
  let foundFailures = 0
  for (let page = 1; foundFailures < pagination.total; page++) {
    const { deliveries } = await fetchDeliveries(webhookId, { page, limit: pageSize }, signal)
    if (deliveries.length === 0) break
    for (const delivery of deliveries) {
      if (delivery.status === 'failed' && !deliveriesById.has(delivery.id)) foundFailures++
      deliveriesById.set(delivery.id, delivery)
    }
  }
  return [...deliveriesById.values()].sort((one, other) => other.id - one.id)
}
