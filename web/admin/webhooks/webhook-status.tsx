import { useQuery } from '@tanstack/react-query'
import { translator } from '../app/language.ts'
import { formatRelativeTime } from '../components/format-time.ts'
import { Badge } from '../components/page.tsx'
import { getLastCalledAt, getWebhookState } from './webhook-state.ts'
import { deliveryCountQuery, type Webhook } from './webhooks-query.ts'

const t = translator('webhooks')

const tones = { ended: 'bad', off: 'plain', untried: 'plain', fails: 'bad', works: 'good' } as const

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const state = getWebhookState(webhook)
  const calledAt = getLastCalledAt(webhook)
  return (
    <span className="webhooks-state">
      <Badge tone={tones[state]}>{t(`state_${state}`)}</Badge>
      <span className="quiet-text">
        {state === 'works' && calledAt && t('lastDelivery', { when: formatRelativeTime(calledAt) })}
        {state === 'off' && calledAt && t('lastCall', { when: formatRelativeTime(calledAt) })}
        {state === 'ended' && t('endedText')}
        {state === 'untried' && t('untriedText')}
        {state === 'fails' && <FailureDetails webhook={webhook} />}
      </span>
    </span>
  )
}

function FailureDetails({ webhook }: { webhook: Webhook }) {
  const { id, consecutive_failures: count, last_success_at: lastSuccess } = webhook
  const { data: pendingCount = 0 } = useQuery(deliveryCountQuery(id, 'pending'))
  return [
    t('failedInARow', { count }),
    lastSuccess === null ? t('neverDelivered') : t('lastDelivery', { when: formatRelativeTime(lastSuccess) }),
    pendingCount > 0 && t('waitingCount', { count: pendingCount }),
  ]
    .filter(Boolean)
    .join(' ')
}
