import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button } from '../../components/button.tsx'
import { getEventState } from '../event-state.ts'
import { useEventAction } from './event-actions.tsx'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

const actions = {
  draft: { action: 'publish', icon: 'send', permission: 'events.edit' },
  live: { action: 'copyLink', icon: 'link', permission: 'events.view' },
  expired: { action: 'moreTime', icon: 'clock', permission: 'events.edit' },
  archived: { action: 'restore', icon: 'restore', permission: 'events.archive' },
} as const

export function MainAction({ event }: { event: EventSummary }) {
  const runAction = useEventAction()
  const hasPermission = useHasPermission()
  const { action, icon, permission } = actions[getEventState(event)]
  if (!hasPermission(permission)) return null
  return (
    <Button kind="primary" icon={icon} onClick={() => runAction(action, event)}>
      {t(action)}
    </Button>
  )
}
