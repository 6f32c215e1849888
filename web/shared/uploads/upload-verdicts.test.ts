import { expect, test } from 'vitest'
import { type ProblemCode, problems } from '../../../contract/problems.ts'
import { verdictOn } from './upload-verdicts.ts'

const answer = (code: ProblemCode, retryAfterSeconds = 0) => ({
  status: problems[code].status,
  code,
  retryAfterSeconds,
})

test('a lost line is waited for with growing waits, and never given up', () => {
  const waits = [0, 1, 2, 3, 4, 5, 100].map((attempt) => verdictOn(null, attempt))
  expect(waits.map((verdict) => verdict.kind === 'again' && verdict.afterMs)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ])
})

test('a limit holds everything for as long as the service says', () => {
  expect(verdictOn(answer('RATE_LIMITED', 42), 3)).toEqual({ kind: 'again', afterMs: 42_000, holdsAll: true })
  expect(verdictOn(answer('UNAVAILABLE', 5), 0)).toEqual({ kind: 'again', afterMs: 5000, holdsAll: true })
})

test('a service that fails is asked again some times, and then the file has failed for now', () => {
  expect(verdictOn(answer('INTERNAL_ERROR'), 0)).toEqual({ kind: 'again', afterMs: 1000, holdsAll: false })
  expect(verdictOn({ status: 502, code: 'INTERNAL_ERROR', retryAfterSeconds: 0 }, 8)).toEqual({
    kind: 'failed',
    reason: 'other',
    endsAll: false,
  })
})

test('what is wrong with a file refuses that file alone', () => {
  expect(verdictOn(answer('UNSUPPORTED_MEDIA_TYPE'), 0)).toEqual({ kind: 'refused', reason: 'type' })
  expect(verdictOn({ status: 400, code: 'FILE_TOO_LARGE', retryAfterSeconds: 0 }, 0)).toEqual({
    kind: 'refused',
    reason: 'large',
  })
  expect(verdictOn(answer('UNREADABLE_IMAGE'), 0)).toEqual({ kind: 'refused', reason: 'damaged' })
})

test('a picture with too many pixels is not called damaged, though the code is the same', () => {
  const tooManyPixels = { ...answer('UNREADABLE_IMAGE'), kinds: ['too_many_pixels'] }
  expect(verdictOn(tooManyPixels, 0)).toEqual({ kind: 'refused', reason: 'pixels' })
})

test('a closed door, a full event and a full storage end it for all, who may try another time', () => {
  const reasons = (
    ['PHOTO_CAP_REACHED', 'STORAGE_FULL', 'UPLOADS_DISABLED', 'GALLERY_EXPIRED', 'NO_TOKEN'] as const
  ).map((code) => verdictOn(answer(code), 0))
  expect(reasons).toEqual(
    ['full', 'storage', 'off', 'closed', 'closed'].map((reason) => ({ kind: 'failed', reason, endsAll: true })),
  )
})
