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

test.each([
  ['is full', { photo_cap: 1 }, 'PHOTO_CAP_REACHED'],
  ['is archived', { is_archived: 1 }, 'EVENT_ARCHIVED'],
  ['is in the trash', { trashed_at: 1 }, 'NOT_FOUND'],
  ['is deleted', null, 'NOT_FOUND'],
] as const)('an upload that arrives when its event %s changes nothing', async (_name, change, code) => {
  const ctx = await contextWithOwnWorkers()
  const { event } = await receiveFirstPhoto(ctx)
  const totals = () => ctx.db.selectFrom('event_photo_totals').selectAll().execute()
  if (change) await ctx.db.updateTable('events').set(change).execute()
  else await ctx.db.deleteFrom('events').execute()
  const before = await totals()
  const receiving = receivePhoto(ctx, { event, file: await stagePicture(ctx, 62), uploadedBy: 'api' })
  await expect(receiving).rejects.toMatchObject({ code })
  expect(await totals()).toEqual(before)
})
