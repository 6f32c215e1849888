import { expect, test } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import { minutes, seconds } from '../../platform/time/clock.ts'
import { initUpload, type Uploader } from './init-upload.ts'

test('guests have at most 1,500 sessions in an event; another one replaces one that was idle for 5 minutes', async () => {
  const clock = createMovableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { event } = await receiveFirstPhoto(ctx)
  const open = (uploader: Uploader) => initUpload(ctx, event, uploader, { filename: 'a.jpg', fileSize: 1000 })
  const first = await open({ guestId: 'the first guest' })
  clock.advance(seconds(1))
  const others = Array.from({ length: 1_498 }, (_, index) => ({
    ...first,
    id: `session ${index}`,
    guest_id: `guest ${index}`,
    active_at: clock.now(),
  }))
  await ctx.db.insertInto('chunked_uploads').values(others).execute()
  await open({ guestId: 'the last guest' })
  const rejected = await catchAppErrorAsync(() => open({ guestId: 'one guest more' }))
  expect([rejected?.code, rejected?.extras.retryAfterSeconds]).toEqual(['RATE_LIMITED', 15])
  await open({ userId: 1 })

  clock.advance(minutes(5))
  await open({ guestId: 'one guest more' })
  const sessions = await ctx.db.selectFrom('chunked_uploads').select('id').where('guest_id', 'is not', null).execute()
  expect(sessions).toHaveLength(1_500)
  expect(sessions.map(({ id }) => id)).not.toContain(first.id)
})
