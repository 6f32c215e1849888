import { expect, test } from 'vitest'
import { AppError } from '../../platform/errors/app-error.ts'
import { FileMissing, StorageFull, StorageUnavailable } from '../../platform/storage/storage.ts'
import { minutes } from '../../platform/time/clock.ts'
import { createFailedJpegs } from './failed-jpegs.ts'

function failedJpegsAt() {
  let time = 0
  const failed = createFailedJpegs({ now: () => time })
  return { ...failed, advance: (ms: number) => (time += ms) }
}

const jpeg = { photo: { content_hash: 'a' }, bound_px: 640 }

test.each([
  ['that cannot be rendered', new AppError('PREVIEW_UNAVAILABLE')],
  ['whose original is missing', new FileMissing('a')],
])('a photo %s has failed, at this width only', (_, error) => {
  const { has, record } = failedJpegsAt()
  record(jpeg, error)
  expect(has(jpeg)).toBe(true)
  expect(has({ ...jpeg, bound_px: 1280 })).toBe(false)
  expect(has({ ...jpeg, photo: { content_hash: 'b' } })).toBe(false)
})

test('is tried again after a minute, then after twice the time, at most an hour later', () => {
  const { has, record, advance } = failedJpegsAt()
  for (const waitMinutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    record(jpeg, new FileMissing('a'))
    // A failure that is found again, without an attempt, does not count.
    record(jpeg, new AppError('PREVIEW_UNAVAILABLE'))
    advance(minutes(waitMinutes) - 1)
    expect(has(jpeg)).toBe(true)
    advance(1)
    expect(has(jpeg)).toBe(false)
  }
})

test('an unexpected error counts at the fifth time', () => {
  const { has, record, advance } = failedJpegsAt()
  for (const count of [1, 2, 3, 4, 5]) {
    expect(has(jpeg), `after ${count - 1}`).toBe(false)
    record(jpeg, new Error('ENAMETOOLONG'))
  }
  expect(has(jpeg)).toBe(true)
  advance(minutes(1))
  expect(has(jpeg)).toBe(false)
})

test.each([new StorageFull(), new StorageUnavailable(), new AppError('PHOTO_PROCESSING')])(
  '%s is no failure of the photo',
  (error) => {
    const { has, record } = failedJpegsAt()
    for (let count = 0; count < 10; count++) record(jpeg, error)
    expect(has(jpeg)).toBe(false)
  },
)
