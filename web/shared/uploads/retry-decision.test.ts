import { expect, test } from 'vitest'
import { type ProblemCode, problems } from '../../../contract/problems.ts'
import { decideRetry } from './retry-decision.ts'

const answer = (code: ProblemCode, retryAfterSeconds = 0) => {
  return { status: problems[code].status, code, retryAfterSeconds }
}

test('retries without limit and with growing waits after a lost connection', () => {
  const waits = [0, 1, 2, 3, 4, 5, 100].map((attempt) => decideRetry(null, attempt))
  expect(waits.map((decision) => decision.kind === 'again' && decision.afterMs)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ])
})

test('holds all uploads for the time that the service requests', () => {
  expect(decideRetry(answer('RATE_LIMITED', 42), 3)).toEqual({ kind: 'again', afterMs: 42_000, holdsAll: true })
  expect(decideRetry(answer('UNAVAILABLE', 5), 0)).toEqual({ kind: 'again', afterMs: 5000, holdsAll: true })
})

test('retries server errors a limited number of times and then fails the file', () => {
  expect(decideRetry(answer('INTERNAL_ERROR'), 0)).toEqual({ kind: 'again', afterMs: 1000, holdsAll: false })
  const badGateway = { ...answer('INTERNAL_ERROR'), status: 502 }
  expect(decideRetry(badGateway, 8)).toEqual({ kind: 'failed', reason: 'other', endsAll: false })
})

test('rejects only the file when the file is the problem, with its reason', () => {
  expect(decideRetry(answer('UNSUPPORTED_MEDIA_TYPE'), 0)).toEqual({ kind: 'rejected', reason: 'type' })
  const tooLarge = { ...answer('FILE_TOO_LARGE'), status: 400 }
  expect(decideRetry(tooLarge, 0)).toEqual({ kind: 'rejected', reason: 'large' })
  expect(decideRetry(answer('UNREADABLE_IMAGE'), 0)).toEqual({ kind: 'rejected', reason: 'damaged' })
  const tooManyPixels = { ...answer('UNREADABLE_IMAGE'), kinds: ['too_many_pixels'] }
  expect(decideRetry(tooManyPixels, 0)).toEqual({ kind: 'rejected', reason: 'pixels' })
})

test('fails all files when the event is closed or full or the storage is full', () => {
  const reasons = (
    ['PHOTO_CAP_REACHED', 'STORAGE_FULL', 'UPLOADS_DISABLED', 'GALLERY_EXPIRED', 'NO_TOKEN'] as const
  ).map((code) => decideRetry(answer(code), 0))
  expect(reasons).toEqual(
    ['full', 'storage', 'off', 'closed', 'closed'].map((reason) => ({ kind: 'failed', reason, endsAll: true })),
  )
})
