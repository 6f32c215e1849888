import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Button } from '../parts/button.tsx'
import type { EventSummary } from './do-deeds.ts'
import { useDeed } from './event-deeds.tsx'
import { stateOf } from './event-state.ts'

const say = sayIn('events')

const deeds = {
  draft: { deed: 'publish', icon: 'send', permission: 'events.edit' },
  live: { deed: 'copyLink', icon: 'link', permission: 'events.view' },
  expired: { deed: 'moreTime', icon: 'clock', permission: 'events.edit' },
  archived: { deed: 'restore', icon: 'restore', permission: 'events.archive' },
} as const

/** What is next for an event, as it stands. */
export function MainDeed({ event }: { event: EventSummary }) {
  const doDeed = useDeed()
  const may = useMay()
  const { deed, icon, permission } = deeds[stateOf(event)]
  if (!may(permission)) return null
  return (
    <Button kind="primary" icon={icon} onClick={() => doDeed(deed, event)}>
      {say(deed)}
    </Button>
  )
}
