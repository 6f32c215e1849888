import { useQuery } from '@tanstack/react-query'
import { sayIn } from '../desk/language.ts'
import { Badge } from '../parts/page.tsx'
import { sinceWords } from '../parts/time-words.ts'
import { lastCalledAt, stateOf } from './webhook-state.ts'
import { deliveryCountQuery, type Webhook } from './webhooks-query.ts'

const say = sayIn('webhooks')

const tones = { off: 'plain', untried: 'plain', fails: 'bad', works: 'good' } as const

export function HowItGoes({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook)
  const calledAt = lastCalledAt(webhook)
  return (
    <span className="webhooks-state">
      <Badge tone={tones[state]}>{say(`state_${state}`)}</Badge>
      <span className="quiet-text">
        {state === 'works' && calledAt && say('lastDelivery', { when: sinceWords(calledAt) })}
        {state === 'off' && calledAt && say('lastCall', { when: sinceWords(calledAt) })}
        {state === 'untried' && say('untriedText')}
        {state === 'fails' && <Failing webhook={webhook} />}
      </span>
    </span>
  )
}

function Failing({ webhook: { id, consecutive_failures: count, last_success_at: lastSuccess } }: { webhook: Webhook }) {
  const { data: waiting = 0 } = useQuery(deliveryCountQuery(id, 'pending'))
  return [
    say('failedInARow', { count }),
    lastSuccess === null ? say('neverDelivered') : say('lastDelivery', { when: sinceWords(lastSuccess) }),
    waiting > 0 && say('waitingCount', { count: waiting }),
  ]
    .filter(Boolean)
    .join(' ')
}
