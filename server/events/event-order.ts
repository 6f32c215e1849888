import type { EventSort } from '../../contract/events.ts'
import { normalizeText } from '../platform/text/normalize-text.ts'
import type { EventRow } from './event-rows.ts'

export type SortedEvent = Pick<
  EventRow,
  'id' | 'slug' | 'event_name' | 'customer_name' | 'customer_email' | 'event_date' | 'expires_at' | 'total_views'
> & { photo_count: number | null }

/** Ignores case and accents. */
const foldText = (text: string): string => normalizeText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase()

export const splitWords = (search: string): string[] => foldText(search).split(/\s+/).filter(Boolean)

type SearchedEvent = Pick<SortedEvent, 'event_name' | 'customer_name' | 'customer_email' | 'slug'>

export function matchesWords(event: SearchedEvent, words: readonly string[]): boolean {
  const { event_name, customer_name, customer_email, slug } = event
  const text = foldText([event_name, customer_name, customer_email, slug].join('\n'))
  return words.every((word) => text.includes(word))
}

// The locale is fixed, so that the order does not depend on the machine. `numeric` sorts "Party 2" before "Party 10".
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const keys: Record<EventSort, (event: SortedEvent) => string | number | null> = {
  created: ({ id }) => id,
  name: ({ event_name }) => event_name,
  event_date: ({ event_date }) => event_date,
  expires_at: ({ expires_at }) => expires_at,
  photos: ({ photo_count }) => photo_count ?? 0,
  views: ({ total_views }) => total_views,
}

/** Nulls come last in both orders. Among equals the newest event comes first. */
export function createEventComparator(
  sort: EventSort,
  order: 'asc' | 'desc',
): (a: SortedEvent, b: SortedEvent) => number {
  const key = keys[sort]
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => compareKeys(key(a), key(b), sign) || b.id - a.id
}

function compareKeys(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * (typeof a === 'string' && typeof b === 'string' ? names.compare(a, b) : Number(a) - Number(b))
}
