import { useState } from 'react'
import { readStored, writeStored } from '../../../shared/browser-storage.ts'

export const eventsViews = ['covers', 'list'] as const
export type EventsView = (typeof eventsViews)[number]

const storageKey = 'proofroom-events-view'

/** The view is remembered in this browser. */
export function useEventsView(): [EventsView, (view: EventsView) => void] {
  const [view, setView] = useState<EventsView>(readStored('localStorage', storageKey) === 'list' ? 'list' : 'covers')
  return [
    view,
    (next) => {
      writeStored('localStorage', storageKey, next)
      setView(next)
    },
  ]
}
