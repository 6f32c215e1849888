import type { Event } from './event-context.tsx'

export type EventState = 'draft' | 'live' | 'expired' | 'archived'

/** A draft stays a draft after its expiry date. */
export function getEventState(event: Pick<Event, 'is_draft' | 'is_archived' | 'is_active'>): EventState {
  if (event.is_archived) return 'archived'
  if (event.is_draft) return 'draft'
  return event.is_active ? 'live' : 'expired'
}
