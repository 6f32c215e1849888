import { expect, test, vi } from 'vitest'
import { receiveFirstPhoto, stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import { contextForTest, contextWithOwnWorkers } from '../../tests/support/service/test-context.ts'
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

test('an upload that arrives when its event is full, archived, in the trash or deleted changes nothing', async () => {
  const ctx = await contextForTest()
  const { event } = await receiveFirstPhoto(ctx)
  const totals = () => ctx.db.selectFrom('event_photo_totals').selectAll().execute()
  for (const [change, code] of [
    [{ photo_cap: 1 }, 'PHOTO_CAP_REACHED'],
    [{ photo_cap: 0, is_archived: 1 }, 'EVENT_ARCHIVED'],
    [{ is_archived: 0, trashed_at: 1 }, 'NOT_FOUND'],
    [null, 'NOT_FOUND'],
  ] as const) {
    if (change) await ctx.db.updateTable('events').set(change).execute()
    else await ctx.db.deleteFrom('events').execute()
    const before = await totals()
    const receiving = receivePhoto(ctx, { event, file: await stagePicture(ctx, 62), uploadedBy: 'api' })
    await expect(receiving).rejects.toMatchObject({ code })
    expect(await totals()).toEqual(before)
  }
})
