import { useState } from 'react'

export const eventsViews = ['covers', 'list'] as const
export type EventsView = (typeof eventsViews)[number]

const storageKey = 'proofroom-events-view'

/** The view is remembered in this browser. */
export function useEventsView(): [EventsView, (view: EventsView) => void] {
  const [view, setView] = useState<EventsView>(localStorage.getItem(storageKey) === 'list' ? 'list' : 'covers')
  return [
    view,
    (next) => {
      localStorage.setItem(storageKey, next)
      setView(next)
    },
  ]
}
