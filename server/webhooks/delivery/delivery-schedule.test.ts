import { describe, expect, test } from 'vitest'
import { hours, minutes, seconds } from '../../platform/time/clock.ts'
import { failureReason, isFailure, isSuccess, type Outcome, stateAfter } from './delivery-schedule.ts'

const now = Date.UTC(2026, 10, 21)

const answered = (status: number, retryAfterMs: number | null = null): Outcome => ({
  result: 'answered',
  response: { status, retryAfterMs, body: '', latencyMs: 5 },
})
const timeout: Outcome = { result: 'unanswered', reason: 'No answer in time.', latencyMs: 10_000 }

/** `random` 0.5 is the middle of the jitter. */
const stateOf = (outcome: Outcome, attempts = 1, random = 0.5) =>
  stateAfter(outcome, { attempts, maxAttempts: 8, now, random: () => random })
const waitAfter = (outcome: Outcome, attempts = 1, random = 0.5) =>
  (stateOf(outcome, attempts, random).next_attempt_at ?? Number.NaN) - now

test('a success completes the delivery', () => {
  const success = { status: 'success', next_attempt_at: null, last_error: null, completed_at: now }
  for (const status of [200, 204, 299]) expect(stateOf(answered(status), 3)).toEqual(success)
})

test('retries after 1, 5 and 30 minutes, 2, 5, 10 and 10 hours, then fails', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => waitAfter(timeout, attempts))
  expect(waits).toEqual([minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)])
  expect(stateOf(timeout, 8)).toEqual({
    status: 'failed',
    next_attempt_at: null,
    last_error: 'No answer in time.',
    completed_at: now,
  })
})

test('each wait is up to a tenth shorter or longer', () => {
  expect(waitAfter(timeout, 1, 0)).toBe(seconds(54))
  expect(waitAfter(timeout, 1, 1)).toBe(seconds(66))
})

test('repeats the last wait for further attempts, and makes no second attempt if only one is configured', () => {
  const terms = { now, random: () => 0.5 }
  expect(stateAfter(timeout, { ...terms, attempts: 12, maxAttempts: 20 }).next_attempt_at).toBe(now + hours(10))
  expect(stateAfter(timeout, { ...terms, attempts: 1, maxAttempts: 1 }).status).toBe('failed')
})

test('a failure is retried, with its reason', () => {
  expect(stateOf(answered(404))).toEqual({
    next_attempt_at: now + minutes(1),
    last_error: 'The receiver responded with 404.',
  })
})

test('410 and a rejected address fail at once', () => {
  expect(stateOf(answered(410))).toMatchObject({ status: 'failed', completed_at: now })
  expect(stateOf({ result: 'refused', reason: 'Not there.' })).toMatchObject({
    status: 'failed',
    last_error: 'Not there.',
  })
})

test('an inactive webhook fails the delivery and counts no attempt', () => {
  expect(stateOf({ result: 'inactive', reason: 'Not active.' }, 3)).toMatchObject({
    status: 'failed',
    attempt_count: 2,
  })
})

test('an attempt aborted by the end of the process is due at once and is not counted', () => {
  expect(stateOf({ result: 'put-back' }, 3)).toEqual({ attempt_count: 2, next_attempt_at: now })
})

describe('Retry-After', () => {
  test('is honored even if it is shorter than our own wait', () => {
    expect(waitAfter(answered(429, minutes(20)))).toBe(minutes(20))
    expect(waitAfter(answered(503, seconds(5)))).toBe(seconds(5))
  })

  test('is limited to 2 h', () => {
    expect(waitAfter(answered(503, hours(2)))).toBe(hours(2))
    expect(waitAfter(answered(503, hours(48)))).toBe(hours(2))
  })

  test('of one second does not use up all attempts while the receiver is down', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => waitAfter(answered(503, seconds(1)), attempts))
    const ours = [minutes(1), minutes(5), minutes(30), hours(2)]
    expect(waits).toEqual([seconds(1), seconds(1), seconds(1), ...ours])
  })

  test('is never shortened by our own waits', () => {
    const waits = [3, 4, 5, 6, 7].map((attempts) => waitAfter(answered(503, minutes(20)), attempts))
    expect(waits).toEqual([minutes(20), minutes(20), minutes(20), minutes(30), hours(2)])
  })

  test('is ignored after the last attempt, after 410 and after a success', () => {
    expect(stateOf(answered(503, seconds(1)), 8).status).toBe('failed')
    expect(stateOf(answered(410, seconds(1))).status).toBe('failed')
    expect(stateOf(answered(200, seconds(1))).status).toBe('success')
  })
})

test('each outcome is a success, a failure or neither, with its reason', () => {
  const redirected = (status: number) => `The receiver responded with ${status}. Redirects are not followed.`
  const outcomes: Array<[Outcome, 'success' | 'failure' | 'neither', string | null]> = [
    [answered(199), 'failure', 'The receiver responded with 199.'],
    [answered(200), 'success', null],
    [answered(299), 'success', null],
    [answered(300), 'failure', redirected(300)],
    [answered(399), 'failure', redirected(399)],
    [answered(400), 'failure', 'The receiver responded with 400.'],
    [timeout, 'failure', 'No answer in time.'],
    [{ result: 'refused', reason: 'The address is private.' }, 'failure', 'The address is private.'],
    [{ result: 'inactive', reason: 'It was switched off.' }, 'neither', 'It was switched off.'],
    [{ result: 'put-back' }, 'neither', null],
  ]
  for (const [outcome, kind, reason] of outcomes) {
    const seen = { success: isSuccess(outcome), failure: isFailure(outcome), reason: failureReason(outcome) }
    expect(seen).toEqual({ success: kind === 'success', failure: kind === 'failure', reason })
  }
})
