import { expect, test } from 'vitest'
import { createEvent } from '../../support/fixtures/events.ts'
import { createExtentBomb } from '../../support/media/crafted-heif.ts'
import { allowVideos } from '../../support/media/videos.ts'
import { serviceForTest } from '../../support/service/test-service.ts'
import { watchMainThread } from '../../support/service/watch-main-thread.ts'

test.each([
  ['327 bytes', 40, 60_000],
  ['30 KB', 4_000, 60_000],
])('an AVIF of %s with zero-width extents is rejected and holds up nothing', async (_name, items, extents) => {
  const service = await serviceForTest()
  await allowVideos(service, 'jpg,avif')
  const event = await createEvent(service.api)
  const form = new FormData()
  form.append('photo', new Blob([createExtentBomb(items, extents)], { type: 'image/avif' }), 'a.avif')
  const longest = watchMainThread()
  const { status, body } = await service.api.call('POST', `/api/v1/events/${event.id}/photos`, { body: form })
  expect([status, body.code]).toEqual([422, 'UNREADABLE_IMAGE'])
  // Reading all extents on the main thread would take seconds.
  expect(await longest()).toBeLessThan(500)
  expect((await service.anonymous.get('/health')).status).toBe(200)
})
