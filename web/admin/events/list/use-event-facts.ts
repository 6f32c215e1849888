import { formatDay } from '../../components/format-time.ts'
import type { FoundEvent } from '../event-queries.ts'
import { useTypeLabels } from '../type-labels.ts'

/** Returns the type and the date of an event in one line. */
export function useEventFacts({ event_type, event_date }: FoundEvent): string {
  const typeLabel = useTypeLabels()
  return [typeLabel(event_type), event_date && formatDay(event_date)].filter(Boolean).join(' · ')
}
