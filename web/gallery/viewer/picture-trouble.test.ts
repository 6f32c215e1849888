import { expect, test } from 'vitest'
import { troubleOf } from './picture-trouble.ts'

test('a picture that is still being made is tried again when the service says so', () => {
  expect(troubleOf({ status: 503, retryAfterSeconds: 7 })).toEqual({ note: 'pictureInMaking', againAfterSeconds: 7 })
  expect(troubleOf({ status: 503, retryAfterSeconds: 0 })).toMatchObject({ againAfterSeconds: 5 })
  expect(troubleOf({ status: 503, retryAfterSeconds: 3_600 })).toMatchObject({ againAfterSeconds: 60 })
})

test('without a connection it is tried again as well', () => {
  expect(troubleOf(null)).toEqual({ note: 'pictureOffline', againAfterSeconds: 5 })
})

test('what no picture can be made of is said and left alone', () => {
  expect(troubleOf({ status: 404, code: 'PREVIEW_UNAVAILABLE', retryAfterSeconds: 0 })).toEqual({
    note: 'pictureUnreadable',
    againAfterSeconds: null,
  })
  expect(troubleOf({ status: 200, retryAfterSeconds: 0 })).toMatchObject({ note: 'pictureUnreadable' })
})

test('a photo that was taken out of the gallery meanwhile is missing', () => {
  expect(troubleOf({ status: 404, code: 'NOT_FOUND', retryAfterSeconds: 0 })).toMatchObject({ note: 'photoMissing' })
})

test('a visit that has ended is said', () => {
  expect(troubleOf({ status: 401, retryAfterSeconds: 0 })).toEqual({ note: 'sessionOver', againAfterSeconds: null })
})

test('a video has words of its own', () => {
  expect(troubleOf({ status: 503, retryAfterSeconds: 0 }, true)).toMatchObject({ note: 'videoInMaking' })
  expect(troubleOf({ status: 206, retryAfterSeconds: 0 }, true)).toMatchObject({ note: 'videoUnplayable' })
})
