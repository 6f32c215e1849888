import { expect, test } from 'vitest'
import { getWelcomeState } from './welcome-steps.ts'

const unseen = { id: 7, photo_count: 3, total_views: 0, is_archived: false }
const getState = (total: number, ...events: Array<typeof unseen>) => getWelcomeState({ events, pagination: { total } })

test('the first start continues with the only event until a guest has seen it', () => {
  expect(getState(0)).toEqual({ isComplete: false, eventId: null })
  expect(getState(1, unseen)).toEqual({ isComplete: false, eventId: 7 })
})

test.each([
  ['guests have been there', () => getState(1, { ...unseen, total_views: 1 })],
  ['the event is archived', () => getState(1, { ...unseen, is_archived: true })],
  ['there is another event, whoever made it', () => getState(2, unseen)],
])('the first start is over when %s', (_why, start) => expect(start()).toEqual({ isComplete: true, eventId: null }))
