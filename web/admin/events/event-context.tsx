import { createContext, type ReactNode, use } from 'react'
import type { Schemas } from '../api/api.ts'

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
