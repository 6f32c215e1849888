import { createContext, type ReactNode, use } from 'react'
import type { Permission } from '../../../contract/access.ts'
import type { Schemas } from '../api/api.ts'
import { useHasPermission } from '../app/me.ts'

export type Event = Schemas['Event']

const EventContext = createContext<Event | null>(null)

export const EventProvider = ({ event, children }: { event: Event; children: ReactNode }) => (
  <EventContext value={event}>{children}</EventContext>
)

export function useEvent(): Event {
  const event = use(EventContext)
  if (!event) throw new Error('No event is open')
  return event
}

/** Returns whether the account has the permission. An archived event allows no changes. */
export function useCanChange(permission: Permission): boolean {
  const hasPermission = useHasPermission()
  return !useEvent().is_archived && hasPermission(permission)
}
