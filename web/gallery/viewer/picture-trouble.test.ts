import { expect, test } from 'vitest'
import { troubleOf } from './picture-trouble.ts'

test('retries a picture that is still in preparation when the service says so', () => {
  expect(troubleOf({ status: 503, retryAfterSeconds: 7 })).toEqual({ note: 'pictureInMaking', againAfterSeconds: 7 })
  expect(troubleOf({ status: 503, retryAfterSeconds: 0 })).toMatchObject({ againAfterSeconds: 5 })
  expect(troubleOf({ status: 503, retryAfterSeconds: 3_600 })).toMatchObject({ againAfterSeconds: 60 })
})

test('retries without a connection', () => {
  expect(troubleOf(null)).toEqual({ note: 'pictureOffline', againAfterSeconds: 5 })
})

test('does not retry a picture that cannot be made', () => {
  expect(troubleOf({ status: 404, code: 'PREVIEW_UNAVAILABLE', retryAfterSeconds: 0 })).toEqual({
    note: 'pictureUnreadable',
    againAfterSeconds: null,
  })
  expect(troubleOf({ status: 200, retryAfterSeconds: 0 })).toMatchObject({ note: 'pictureUnreadable' })
})

test('reports a photo that was removed from the gallery as missing', () => {
  expect(troubleOf({ status: 404, code: 'NOT_FOUND', retryAfterSeconds: 0 })).toMatchObject({ note: 'photoMissing' })
})

test('reports a session that is over', () => {
  expect(troubleOf({ status: 401, retryAfterSeconds: 0 })).toEqual({ note: 'sessionOver', againAfterSeconds: null })
})

test('uses separate messages for videos', () => {
  expect(troubleOf({ status: 503, retryAfterSeconds: 0 }, true)).toMatchObject({ note: 'videoInMaking' })
  expect(troubleOf({ status: 206, retryAfterSeconds: 0 }, true)).toMatchObject({ note: 'videoUnplayable' })
})
