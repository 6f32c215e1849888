import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Button } from '../parts/button.tsx'
import { useAction } from './event-actions.tsx'
import type { EventSummary } from './event-mutations.ts'
import { stateOf } from './event-state.ts'

const t = translator('events')

const actions = {
  draft: { action: 'publish', icon: 'send', permission: 'events.edit' },
  live: { action: 'copyLink', icon: 'link', permission: 'events.view' },
  expired: { action: 'moreTime', icon: 'clock', permission: 'events.edit' },
  archived: { action: 'restore', icon: 'restore', permission: 'events.archive' },
} as const

export function MainAction({ event }: { event: EventSummary }) {
  const doAction = useAction()
  const may = useMay()
  const { action, icon, permission } = actions[stateOf(event)]
  if (!may(permission)) return null
  return (
    <Button kind="primary" icon={icon} onClick={() => doAction(action, event)}>
      {t(action)}
    </Button>
  )
}
