import { expect, test } from 'vitest'
import { createEventComparator, matchesWords, type SortedEvent, splitWords } from './event-order.ts'

const event = (id: number, more: Partial<SortedEvent> = {}): SortedEvent => ({
  id,
  slug: `wedding-${id}`,
  event_name: 'Ana & José',
  customer_name: null,
  customer_email: null,
  event_date: null,
  expires_at: 0,
  total_views: 0,
  photo_count: null,
  ...more,
})

test.each([
  ['', true],
  ['  ', true],
  ['jose', true],
  ['ANA josé', true],
  ['jose ana', true],
  ['wedding-7', true],
  ['fuchs', true],
  ['ana@example.com', true],
  ['ana birthday', false],
  ['%', false],
])('searching events by words “%s” finds it: %s', (search, isFound) => {
  const found = event(7, { customer_name: 'Ana Fuchs', customer_email: 'ana@example.com' })
  expect(matchesWords(found, splitWords(search))).toBe(isFound)
})

const idsBy = (events: SortedEvent[], ...sorting: Parameters<typeof createEventComparator>) =>
  [...events].sort(createEventComparator(...sorting)).map(({ id }) => id)

test('the order of events compares numbers in names by value, and ignores case', () => {
  const events = ['Party 10', 'party 2', 'Álbum'].map((event_name, index) => event(index + 1, { event_name }))
  expect(idsBy(events, 'name', 'asc')).toEqual([3, 2, 1])
  expect(idsBy(events, 'name', 'desc')).toEqual([1, 2, 3])
})

test('the order of events has those without a date last in both orders', () => {
  const events = [event(1), event(2, { event_date: '2026-09-12' }), event(3, { event_date: '2025-01-01' })]
  expect(idsBy(events, 'event_date', 'asc')).toEqual([3, 2, 1])
  expect(idsBy(events, 'event_date', 'desc')).toEqual([2, 3, 1])
})

test('the order of events begins with the newest among equals', () => {
  const events = [event(1), event(2, { photo_count: 3 }), event(3)]
  expect(idsBy(events, 'photos', 'desc')).toEqual([2, 3, 1])
  expect(idsBy(events, 'created', 'desc')).toEqual([3, 2, 1])
  expect(idsBy(events, 'created', 'asc')).toEqual([1, 2, 3])
})
