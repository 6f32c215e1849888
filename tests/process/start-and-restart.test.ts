import { expect, test } from 'vitest'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { answer, neverRespond, webhookReceiverForTest } from '../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../support/webhooks/webhooks.ts'

test('started on an empty folder and killed during a delivery, the service has all it confirmed, and delivers again', async () => {
  const receiver = await webhookReceiverForTest({ respond: neverRespond })
  const service = await startKillableService({ WEBHOOK_ALLOW_PRIVATE_URLS: 'true' })
  const { stored } = service
  const subscription = { events: ['photo.uploaded'], url: receiver.url } as const
  const { secret } = await createTestWebhook({ ...stored, admin: service.admin() }, subscription)
  receiver.trust(secret)
  const event = await createEvent(service.api())
  const [photoId] = await uploadPhotos(service.api(), event.id, 1)
  const path = `/api/v1/events/${event.id}/photos/${photoId}`
  const download = await service.api().get(`${path}/download`)
  expect(download.status).toBe(200)
  await receiver.receive(1)
  await service.kill()

  receiver.respond = answer(204)
  // Ends the claim of the killed process, which otherwise lasts half a minute.
  await changeDatabase(stored, (database) =>
    database.exec("update webhook_deliveries set next_attempt_at = 0 where status = 'pending'"),
  )
  await service.restart()
  const [first, second] = await receiver.receive(2)
  expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
  expect(first?.json.data.photo.id).toBe(photoId)
  expect((await service.api().get(path)).body.id).toBe(photoId)
  expect((await service.api().get(`${path}/download`)).bytes).toEqual(download.bytes)
  expect((await service.admin().get(`/api/admin/events/${event.id}`)).body.photo_count).toBe(1)
  await expect.poll(service.listStaged).toEqual([])
})
