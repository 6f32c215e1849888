import { expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { createExtentBomb } from '../../support/media/crafted-heif.ts'
import { allowVideos } from '../../support/media/videos.ts'
import { serviceForTest } from '../../support/service/test-service.ts'
import { watchMainThread } from '../../support/service/watch-main-thread.ts'

test('an AVIF of 327 bytes or 30 KB with zero-width extents is rejected and holds up nothing', async () => {
  const service = await serviceForTest()
  await allowVideos(service, 'jpg,avif')
  const event = await createEvent(service.api)
  for (const items of [40, 4_000]) {
    const longest = watchMainThread()
    const answer = await service.api.upload(event.id, Buffer.from(createExtentBomb(items, 60_000)))
    expectProblem(answer, 422, 'UNREADABLE_IMAGE')
    // Reading all extents on the main thread would take seconds.
    expect(await longest()).toBeLessThan(500)
    expect((await service.anonymous.get('/health')).status).toBe(200)
  }
})
