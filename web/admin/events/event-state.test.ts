import { expect, test } from 'vitest'
import { getEventState } from './event-state.ts'

test.each([
  [{ is_draft: true, is_archived: false, is_active: true }, 'draft'],
  [{ is_draft: true, is_archived: false, is_active: false }, 'draft'],
  [{ is_draft: false, is_archived: false, is_active: true }, 'live'],
  [{ is_draft: false, is_archived: false, is_active: false }, 'expired'],
  [{ is_draft: false, is_archived: true, is_active: false }, 'archived'],
])('%j has the state %s', (event, state) => {
  expect(getEventState(event)).toBe(state)
})
