import { expect, test } from 'vitest'
import { getLastCalledAt, getWebhookState } from './webhook-state.ts'

const untried = { active: true, ended: false, last_success_at: null, last_failure_at: null, consecutive_failures: 0 }
const [earlier, later] = ['2027-06-12T16:00:00.000Z', '2027-06-12T17:00:00.000Z']

test('a webhook is untried, works, fails, is off, or has ended with its token', () => {
  expect(getWebhookState(untried)).toBe('untried')
  expect(getWebhookState({ ...untried, last_success_at: earlier })).toBe('works')
  expect(
    getWebhookState({ ...untried, last_success_at: earlier, last_failure_at: later, consecutive_failures: 2 }),
  ).toBe('fails')
  expect(getWebhookState({ ...untried, active: false, consecutive_failures: 2 })).toBe('off')
  expect(getWebhookState({ ...untried, active: false, ended: true })).toBe('ended')
})

test('the last call is the last success or failure', () => {
  expect(getLastCalledAt(untried)).toBeNull()
  expect(getLastCalledAt({ ...untried, last_success_at: later, last_failure_at: earlier })).toBe(later)
  expect(getLastCalledAt({ ...untried, last_failure_at: earlier })).toBe(earlier)
})
