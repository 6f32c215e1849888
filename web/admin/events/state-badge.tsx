import { translator } from '../app/language.ts'
import { Badge } from '../components/page.tsx'
import { type EventState, getEventState } from './event-state.ts'

const t = translator('events')

const tones = { draft: 'plain', live: 'good', expired: 'warn', archived: 'plain' } as const satisfies Record<
  EventState,
  string
>

export function StateBadge({ event }: { event: Parameters<typeof getEventState>[0] }) {
  const state = getEventState(event)
  return <Badge tone={tones[state]}>{t(`state_${state}`)}</Badge>
}
