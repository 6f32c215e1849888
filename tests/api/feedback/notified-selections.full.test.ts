import { expect, test } from 'vitest'
import type { OwnSelection, SelectionReply } from '../../../contract/gallery/selections.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { mailServerForTest, smtpError } from '../../support/network/mail-server.ts'
import {
  createMovableClock,
  serviceForTest,
  sharedService,
  type TestService,
} from '../../support/service/test-service.ts'
import { answer, webhookReceiverForTest } from '../../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../../support/webhooks/webhooks.ts'

const plainService = await sharedService()
const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

/** Picks a photo and submits it. */
async function submitOne(service: TestService, admin_email: string | null = 'studio@example.com') {
  const event = await createEvent(service.api, { admin_email })
  const [photoId] = await uploadPhotos(service.api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  await guest.post(`/api/gallery/${event.slug}/photos/${photoId}/feedback`, { feedback_type: 'favorite' })
  const { body } = await guest.post(`/api/gallery/${event.slug}/selection`, {})
  const loadNotifiedAt = async () => {
    const response = await guest.get(`/api/gallery/${event.slug}/selection`)
    return (response.body.selection as OwnSelection).notified_at
  }
  return { event, submitted: body as SelectionReply, loadNotifiedAt }
}

test('without a mail server and a webhook, no guest reads that the photographer was notified', async () => {
  const { submitted, loadNotifiedAt } = await submitOne(plainService)
  expect(submitted.is_notifying).toBe(false)
  expect(await loadNotifiedAt()).toBeNull()
})

test('the photographer counts as notified when the mail server has accepted the mail', async () => {
  const clock = createMovableClock()
  let isGreylisting = true
  const mailServer = await mailServerForTest({
    onRcptTo: (_address, _session, done) => done(isGreylisting ? smtpError(451, 'Later') : null),
  })
  const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url }, edges: { clock } })
  const { event, submitted, loadNotifiedAt } = await submitOne(service)
  expect(submitted.is_notifying).toBe(true)
  const loadMail = async () => (await service.admin.get(`/api/admin/mail/outbox?event_id=${event.id}`)).body.mails[0]
  await expect.poll(loadMail).toMatchObject({ last_error: expect.stringContaining('451') })
  expect(await loadNotifiedAt()).toBeNull()

  isGreylisting = false
  clock.advance(70_000)
  await createEvent(service.api)
  await expect.poll(loadNotifiedAt).toEqual(isTime)
  expect((await loadMail()).sent_at).toBe(await loadNotifiedAt())
})

test('a mail to the address that the first account has until somebody enters one notifies nobody', async () => {
  const mailServer = await mailServerForTest()
  const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
  const { event, loadNotifiedAt } = await submitOne(service, null)
  const loadMail = async () => (await service.admin.get(`/api/admin/mail/outbox?event_id=${event.id}`)).body.mails[0]
  await expect.poll(loadMail).toMatchObject({ to: 'admin@localhost', sent_at: isTime })
  expect(await loadNotifiedAt()).toBeNull()
})

test('the photographer counts as notified when a webhook has received the selection', async () => {
  const clock = createMovableClock()
  const receiver = await webhookReceiverForTest({ respond: answer(500), clock })
  const service = await serviceForTest({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' }, edges: { clock } })
  const { id, secret } = await createTestWebhook(service, { url: receiver.url, events: ['selection.submitted'] })
  receiver.trust(secret)
  const { submitted, loadNotifiedAt } = await submitOne(service)
  expect(submitted.is_notifying).toBe(true)
  await receiver.receive(1)
  expect(await loadNotifiedAt()).toBeNull()

  receiver.respond = answer(204)
  // A sample is not about the selection, even though it has a selection in it.
  await service.admin.post(`/api/admin/webhooks/${id}/test`, { event_type: 'selection.submitted' })
  await receiver.receive(2)
  await expect
    .poll(async () => (await service.admin.get(`/api/admin/webhooks/${id}/deliveries?status=success`)).body.deliveries)
    .toHaveLength(1)
  expect(await loadNotifiedAt()).toBeNull()

  clock.advance(70_000)
  await createEvent(service.api)
  await receiver.receive(3)
  await expect.poll(loadNotifiedAt).toEqual(isTime)
})
