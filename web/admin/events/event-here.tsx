import { createContext, type ReactNode, use } from 'react'
import type { Wire } from '../api/api.ts'

export type Event = Wire['Event']

const Here = createContext<Event | null>(null)

export const EventProvider = ({ event, children }: { event: Event; children: ReactNode }) => (
  <Here value={event}>{children}</Here>
)

export function useEvent(): Event {
  const event = use(Here)
  if (!event) throw new Error('No event is open')
  return event
}
