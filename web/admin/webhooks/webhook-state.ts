type WebhookHistory = {
  active: boolean
  ended: boolean
  last_success_at: string | null
  last_failure_at: string | null
  consecutive_failures: number
}

export type WebhookState = 'ended' | 'off' | 'untried' | 'fails' | 'works'

export function getWebhookState({
  active,
  ended,
  last_success_at,
  consecutive_failures,
}: WebhookHistory): WebhookState {
  if (ended) return 'ended'
  if (!active) return 'off'
  if (consecutive_failures > 0) return 'fails'
  return last_success_at === null ? 'untried' : 'works'
}

/** Returns the time of the last attempt, successful or not; null if there was none. */
export const getLastCalledAt = ({ last_success_at, last_failure_at }: WebhookHistory): string | null =>
  [last_success_at, last_failure_at]
    .filter((at) => at !== null)
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
    .at(-1) ?? null
