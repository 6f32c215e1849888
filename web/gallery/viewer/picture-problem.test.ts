import { expect, test } from 'vitest'
import { getPictureProblem } from './picture-problem.ts'

test('retries a picture that is still in preparation after the requested time, and without a connection', () => {
  const problemAfter = (retryAfterSeconds: number) => getPictureProblem({ status: 503, retryAfterSeconds })
  expect(problemAfter(7)).toEqual({ note: 'pictureInMaking', retryInSeconds: 7 })
  expect([problemAfter(0), problemAfter(3_600)]).toMatchObject([{ retryInSeconds: 5 }, { retryInSeconds: 60 }])
  expect(getPictureProblem(null)).toEqual({ note: 'pictureOffline', retryInSeconds: 5 })
})

test('does not retry a picture that cannot be made or is missing, or a session that is over', () => {
  const noteFor = (status: number, code?: string, isVideo = false) => {
    const problem = getPictureProblem({ status, retryAfterSeconds: 0, ...(code ? { code } : {}) }, isVideo)
    return [problem.note, problem.retryInSeconds]
  }
  expect(noteFor(404, 'PREVIEW_UNAVAILABLE')).toEqual(['pictureUnreadable', null])
  expect(noteFor(200)).toEqual(['pictureUnreadable', null])
  expect(noteFor(404, 'NOT_FOUND')).toEqual(['photoMissing', null])
  expect(noteFor(401)).toEqual(['sessionOver', null])
  expect(noteFor(503, undefined, true)).toEqual(['videoInMaking', 5])
  expect(noteFor(206, undefined, true)).toEqual(['videoUnplayable', null])
})
