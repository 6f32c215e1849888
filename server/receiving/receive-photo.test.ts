import { expect, test, vi } from 'vitest'
import { receiveFirstPhoto, stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import { contextWithOwnWorkers } from '../../tests/support/service/test-context.ts'
import { receivePhoto } from './receive-photo.ts'

test('only uploads of guests have low priority for image workers', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event } = await receiveFirstPhoto(ctx)
  const run = vi.spyOn(ctx.imageWorkers, 'run')
  for (const uploadedBy of ['guest', 'admin', 'api', 'import'] as const) {
    await receivePhoto(ctx, { event, file: await stagePicture(ctx, 61), uploadedBy })
  }
  expect(run.mock.calls.map(([, priority]) => priority)).toEqual(['low', 'normal', 'normal', 'normal'])
})
