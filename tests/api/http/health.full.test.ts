import { expect, test } from 'vitest'
import { type Storage, StorageUnavailable } from '../../../server/platform/storage/storage.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { serviceForTest } from '../../support/service/test-service.ts'

test('/health names the part that does not respond', async () => {
  let isReachable = true
  const wrapStorage = (storage: Storage): Storage => ({
    ...storage,
    check: async () => {
      if (!isReachable) throw new StorageUnavailable('a secret host')
    },
  })
  const { anonymous } = await serviceForTest({ edges: { wrapStorage } })
  expect((await anonymous.get('/health')).body).toEqual({ status: 'ok' })
  isReachable = false
  const answer = await anonymous.get('/health')
  expectProblem(answer, 503, 'UNAVAILABLE')
  expect(answer.body).toEqual({
    error: 'The storage does not respond.',
    code: 'UNAVAILABLE',
    details: [{ path: 'storage', message: 'does not respond' }],
  })
  expect(answer.headers.get('retry-after')).toBe('5')
  expect((await anonymous.get('/health/live')).status).toBe(200)
})
