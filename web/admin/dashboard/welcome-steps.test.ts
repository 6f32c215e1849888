import { expect, test } from 'vitest'
import { startOf } from './welcome-steps.ts'

const unseen = { id: 7, photo_count: 3, total_views: 0, is_archived: false }
const of = (total: number, ...events: Array<typeof unseen>) => startOf({ events, pagination: { total } })

test('the first start continues with the only event until a guest has seen it', () => {
  expect(of(0)).toEqual({ isOver: false, eventId: null })
  expect(of(1, unseen)).toEqual({ isOver: false, eventId: 7 })
})

test.each([
  ['guests have been there', () => of(1, { ...unseen, total_views: 1 })],
  ['the event is archived', () => of(1, { ...unseen, is_archived: true })],
  ['there is another event, whoever made it', () => of(2, unseen)],
])('the first start is over when %s', (_why, start) => expect(start()).toEqual({ isOver: true, eventId: null }))
