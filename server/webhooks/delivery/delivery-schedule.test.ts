import { describe, expect, test } from 'vitest'
import { hours, minutes, seconds } from '../../platform/clock.ts'
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

test.each([200, 201, 204, 299])('a response of %i is a success', (status) => {
  expect(stateOf(answered(status), 3)).toEqual({
    status: 'success',
    next_attempt_at: null,
    last_error: null,
    completed_at: now,
  })
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

test.each([199, 400, 404, 429, 500, 503])('a response of %i is a failure and is retried', (status) => {
  expect(stateOf(answered(status))).toEqual({
    next_attempt_at: now + minutes(1),
    last_error: `The receiver responded with ${status}.`,
  })
})

test.each([301, 302, 307, 308])('a redirect (%i) is a failure', (status) => {
  expect(stateOf(answered(status)).last_error).toBe(
    `The receiver responded with ${status}. Redirects are not followed.`,
  )
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

test.each<[string, Outcome, { success: boolean; failure: boolean; reason: string | null }]>([
  ['199', answered(199), { success: false, failure: true, reason: 'The receiver responded with 199.' }],
  ['200', answered(200), { success: true, failure: false, reason: null }],
  ['299', answered(299), { success: true, failure: false, reason: null }],
  [
    '300',
    answered(300),
    { success: false, failure: true, reason: 'The receiver responded with 300. Redirects are not followed.' },
  ],
  [
    '399',
    answered(399),
    { success: false, failure: true, reason: 'The receiver responded with 399. Redirects are not followed.' },
  ],
  ['400', answered(400), { success: false, failure: true, reason: 'The receiver responded with 400.' }],
  ['no answer', timeout, { success: false, failure: true, reason: 'No answer in time.' }],
  [
    'a refused address',
    { result: 'refused', reason: 'The address is private.' },
    { success: false, failure: true, reason: 'The address is private.' },
  ],
  [
    'an inactive webhook',
    { result: 'inactive', reason: 'It was switched off.' },
    { success: false, failure: false, reason: 'It was switched off.' },
  ],
  ['the end of the process', { result: 'put-back' }, { success: false, failure: false, reason: null }],
])('%s has the expected success, failure and reason', (_name, outcome, expected) => {
  expect({ success: isSuccess(outcome), failure: isFailure(outcome), reason: failureReason(outcome) }).toEqual(expected)
})
