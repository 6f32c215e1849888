import { expect, test } from 'vitest'
import { getPictureProblem } from './picture-problem.ts'

test('retries a picture that is still in preparation after the time that the service requests', () => {
  expect(getPictureProblem({ status: 503, retryAfterSeconds: 7 })).toEqual({
    note: 'pictureInMaking',
    retryInSeconds: 7,
  })
  expect(getPictureProblem({ status: 503, retryAfterSeconds: 0 })).toMatchObject({ retryInSeconds: 5 })
  expect(getPictureProblem({ status: 503, retryAfterSeconds: 3_600 })).toMatchObject({ retryInSeconds: 60 })
})

test('retries without a connection', () => {
  expect(getPictureProblem(null)).toEqual({ note: 'pictureOffline', retryInSeconds: 5 })
})

test('does not retry a picture that cannot be made', () => {
  expect(getPictureProblem({ status: 404, code: 'PREVIEW_UNAVAILABLE', retryAfterSeconds: 0 })).toEqual({
    note: 'pictureUnreadable',
    retryInSeconds: null,
  })
  expect(getPictureProblem({ status: 200, retryAfterSeconds: 0 })).toMatchObject({ note: 'pictureUnreadable' })
})

test('reports a photo that was removed from the gallery as missing', () => {
  expect(getPictureProblem({ status: 404, code: 'NOT_FOUND', retryAfterSeconds: 0 })).toMatchObject({
    note: 'photoMissing',
  })
})

test('reports a session that is over', () => {
  expect(getPictureProblem({ status: 401, retryAfterSeconds: 0 })).toEqual({
    note: 'sessionOver',
    retryInSeconds: null,
  })
})

test('uses separate messages for videos', () => {
  expect(getPictureProblem({ status: 503, retryAfterSeconds: 0 }, true)).toMatchObject({ note: 'videoInMaking' })
  expect(getPictureProblem({ status: 206, retryAfterSeconds: 0 }, true)).toMatchObject({ note: 'videoUnplayable' })
})
