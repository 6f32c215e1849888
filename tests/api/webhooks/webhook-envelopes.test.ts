import { beforeAll, describe, expect, test } from 'vitest'
import { envelopeTitle } from '../../../contract/webhook-envelopes.ts'
import { type WebhookEventType, webhookEventTypes } from '../../../contract/webhooks.ts'
import { expireEvents } from '../../../server/events/expire-events.ts'
import { announceFeedback } from '../../../server/feedback/announce-feedback.ts'
import { days, minutes } from '../../../server/platform/time/clock.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
import { sampleEnvelope } from '../../../server/webhooks/envelopes.ts'
import { createSchemaValidators } from '../../support/clients/described-responses.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { type AnnouncedEnvelope, createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api, url } = service
const wedding = {
  event_name: 'Ana & Ben',
  event_date: '2031-06-20',
  customer_name: 'Ana Berg',
  customer_email: 'ana@example.com',
  customer_phone: '+49 30 1234567',
  expires_at: '2031-07-01T10:00:00.000Z',
  allow_notes: true,
  keep_versions: true,
}
let event: TestEvent
let envelopes: AnnouncedEnvelope[]

beforeAll(async () => {
  await createTestWebhook(service)
  await admin.put('/api/admin/settings', { event_phone_field_enabled: true })
  event = await createEvent(api, wedding)
  const path = `/api/v1/events/${event.id}`
  const { body: photo } = await api.upload(event.id, await jpeg({ seed: 1 }), {
    name: 'first.jpg',
    fields: { category_id: 1 },
  })
  await api.upload(event.id, await jpeg({ seed: 2, width: 30, height: 90 }), {
    name: 'retouched.jpg',
    fields: { replaces_photo_id: photo.id },
  })
  const guest = await enterAsGuest(service, event)
  await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë', email: 'zoe@example.com' })
  await guest.post(`/api/gallery/${event.slug}/photos/${photo.id}/feedback`, { feedback_type: 'favorite' })
  await api.put(`${path}/package`, { purpose: 'Album', included: 1, due_on: '2031-06-30' })
  await guest.post(`/api/gallery/${event.slug}/selection`, { note: 'For the album' })
  const [round] = (await api.get(`${path}/rounds`)).body.rounds
  await api.post(`${path}/rounds/${round.id}/reopen`, { message: 'Please choose one more', maximum: 2 })
  const decision = `/api/gallery/${event.slug}/photos/${photo.id}/versions/2/decision`
  for (const word of ['changes_wanted', 'approved']) await guest.put(decision, { decision: word })
  await guest.post(`/api/gallery/${event.slug}/notes`, { text: 'Private words' })
  await runJobLater(minutes(1), announceFeedback)
  await api.put(`${path}/first-look`, { about_count: 80, complete_on: '2031-06-30' })
  await api.post(`${path}/first-look/complete`, {})
  await api.patch(path, { event_name: 'Ana, Ben & Cleo' })
  await admin.delete(`/api/admin/photos/${event.id}/photos/${photo.id}`)
  await api.post(`${path}/archive`, {})
  await api.post(`${path}/restore`, {})
  await runJobLater(days(3650), expireEvents)
  await api.delete(path)
  envelopes = listAnnouncedOf(service, event.id)
})

const runJobLater = (ms: number, job: (ctx: AppContext) => Promise<void>) =>
  withAppContext(service, (ctx) => job({ ...ctx, clock: { now: () => Date.now() + ms } }))

const envelopesOf = (type: WebhookEventType) => envelopes.filter((envelope) => envelope.type === type)
const id = expect.any(Number)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const eventData = (overrides: object = {}) => ({
  id: event.id,
  slug: event.slug,
  event_name: 'Ana & Ben',
  event_type: 'wedding',
  event_date: '2031-06-20',
  share_url: `${url}/gallery/${event.slug}/${event.share_token}`,
  share_token: event.share_token,
  customer_name: 'Ana Berg',
  customer_email: 'ana@example.com',
  customer_phone: '+49 30 1234567',
  ...overrides,
})
const renamed = { event_name: 'Ana, Ben & Cleo' }

const photoData = (overrides: object = {}) => ({
  id,
  filename: expect.stringMatching(/^\d+_[0-9a-f]{8}\.jpg$/),
  original_filename: 'first.jpg',
  source_filename: 'first.jpg',
  size_bytes: id,
  width: 60,
  height: 40,
  category_id: 1,
  replaced: false,
  ...overrides,
})
const retouched = { original_filename: 'retouched.jpg', width: 30, height: 90 }

describe('an envelope', () => {
  test('is {id, type, created_at, data}, with a unique UUID', () => {
    for (const envelope of envelopes) {
      expect(Object.keys(envelope)).toEqual(['id', 'type', 'created_at', 'data'])
      expect(envelope.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(envelope.created_at).toEqual(time)
    }
    expect(new Set(envelopes.map(({ id }) => id)).size).toBe(envelopes.length)
  })

  test('has the shape that the OpenAPI description gives its type', async () => {
    const validatorAt = createSchemaValidators((await admin.get('/api/openapi.json')).body)
    for (const envelope of envelopes) {
      const validate = validatorAt(['components', 'schemas', envelopeTitle(envelope.type as WebhookEventType)])
      validate(envelope)
      expect(validate.errors, envelope.type).toBeNull()
    }
    expect(new Set(envelopes.map(({ type }) => type))).toEqual(new Set(webhookEventTypes))
  })

  test.each<[WebhookEventType, () => object[]]>([
    ['event.created', () => [{ event: eventData({ is_draft: false }) }]],
    ['event.published', () => [{ event: eventData() }]],
    [
      'photo.uploaded',
      () => [
        { event: eventData(), photo: photoData() },
        { event: eventData(), photo: photoData({ ...retouched, replaced: true }) },
      ],
    ],
    ['photo.deleted', () => [{ event: eventData(renamed), photo: photoData(retouched) }]],
    ['event.updated', () => [{ event: eventData(renamed) }]],
    ['event.completed', () => [{ event: eventData({ completed_at: time }) }]],
    ['event.archived', () => [{ event: eventData({ ...renamed, archived_at: time }) }]],
    ['event.restored', () => [{ event: eventData(renamed) }]],
    ['event.expired', () => [{ event: eventData({ ...renamed, expires_at: wedding.expires_at }) }]],
    ['event.deleted', () => [{ event: eventData(renamed) }]],
    [
      'selection.submitted',
      () => [
        {
          event: eventData(),
          selection: {
            id,
            number: 1,
            guest: { id: expect.any(String), name: 'Zoë', email: 'zoe@example.com' },
            note: 'For the album',
            count: 1,
            photo_ids: [id],
            round: 1,
            extra_count: 0,
            content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        },
      ],
    ],
    [
      'selection.reopened',
      () => [
        {
          event: eventData(),
          round: {
            ...{ id, number: 2, message: 'Please choose one more' },
            ...{ included: 1, minimum: 0, maximum: 2, due_on: '2031-06-30' },
            guest: { id: expect.any(String), name: 'Zoë', email: 'zoe@example.com' },
          },
        },
      ],
    ],
    ...(['approved', 'changes_wanted'] as const).map((decision): [WebhookEventType, () => object[]] => [
      decision === 'approved' ? 'photo.approved' : 'photo.changes_requested',
      () => [
        {
          event: eventData(),
          photo: photoData(retouched),
          decision: { version: 2, content_hash: expect.any(String), decision, decided_at: time },
          guest: { id: expect.any(String), name: 'Zoë', email: 'zoe@example.com' },
        },
      ],
    ]),
    [
      'thread.created',
      () => [
        {
          event: eventData(),
          thread: { id, kind: 'note', photo_id: null, created_at: time },
          guest: { id: expect.any(String), name: 'Zoë', email: 'zoe@example.com' },
        },
      ],
    ],
    [
      'feedback.changed',
      () => [
        {
          event: eventData(),
          guest: { id: expect.any(String), name: 'Zoë', email: 'zoe@example.com' },
          feedback: {
            rating_count: 0,
            color_label_count: 0,
            like_count: 0,
            favorite_count: 1,
            comment_count: 0,
            first_changed_at: time,
            last_changed_at: time,
          },
        },
      ],
    ],
  ])('of %s has exactly these data', (type, data) => {
    expect(envelopesOf(type).map((envelope) => envelope.data)).toEqual(data())
  })

  test('of each type has a sample with the same keys', () => {
    for (const type of webhookEventTypes) {
      expect(listKeyPaths(sampleEnvelope(type, Date.now())), type).toEqual(listKeyPaths(envelopesOf(type)[0]))
    }
  })
})

const listKeyPaths = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, one]) => listKeyPaths(one, `${path}.${key}`))
    : [path]
