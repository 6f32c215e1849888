import { translator } from '../app/language.ts'
import { Badge } from '../components/page.tsx'
import type { Event } from './event-context.tsx'
import { type EventState, getEventState } from './event-state.ts'

const t = translator('events')

const tones = { draft: 'plain', live: 'good', expired: 'warn', archived: 'plain' } as const satisfies Record<
  EventState,
  string
>

type Props = { event: Parameters<typeof getEventState>[0] & Pick<Event, 'photo_count'> }

export function StateBadge({ event }: Props) {
  const state = getEventState(event)
  if (state === 'live' && event.photo_count === 0) return <Badge tone="warn">{t('state_empty')}</Badge>
  return <Badge tone={tones[state]}>{t(`state_${state}`)}</Badge>
}
