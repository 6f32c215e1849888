import { expect } from 'vitest'
import { createCustomer } from '../fixtures/customers.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../fixtures/events.ts'
import { invite } from '../fixtures/people.ts'
import type { TestService } from '../service/test-service.ts'

/** Wider than any column, without a place to break. */
export const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsjubiläumsfeier'

/** Every page that requires a session. `:event` and `:webhook` stand for ids. */
export const adminPages = [
  '/',
  '/welcome',
  '/events',
  '/events?search=nothing-of-that-name',
  '/events/new',
  '/events/:event',
  '/events/:event/picks',
  '/events/:event/todo',
  '/events/:event/todo/print',
  '/events/:event/comments',
  '/events/:event/share',
  '/events/:event/edit',
  '/webhooks',
  '/webhooks/new',
  '/webhooks/:webhook',
  '/webhooks/:webhook?part=verify',
  '/webhooks/:webhook?part=edit',
  '/people',
  '/people/tokens',
  '/customers',
  '/account',
  '/tokens',
  '/settings/general',
  '/settings/branding',
  '/settings/events',
  '/settings/galleries',
  '/settings/categories',
  '/settings/types',
  '/settings/keeping',
  '/settings/letters',
  '/settings/integrations',
  '/settings/mail',
  '/health',
  '/mail',
  '/activity',
  '/no-such-page',
  '/settings/no-such-page',
]

/**
 * Fills the pages with long names. Returns a function that puts the ids of the event and the webhook into one of
 * `adminPages`.
 */
export async function fillAdminPages(service: TestService): Promise<(path: string) => string> {
  const { api, admin } = service
  const requests = { allow_notes: true, allow_annotations: true }
  const event = await createEvent(api, {
    event_name: longName,
    event_date: '2026-06-20',
    customer_name: 'Ana',
    ...requests,
  })
  const [first, second] = await uploadPhotos(api, event.id, 6)
  const guest = await enterAsGuest(service, event)
  await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ben', email: 'benjamin.franklin@example.com' })
  const feedback = (photo: number | undefined, body: object) =>
    guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, body)
  await feedback(first, { feedback_type: 'favorite', set: true })
  await feedback(first, { feedback_type: 'comment', comment_text: `${longName}!` })
  await feedback(second, { feedback_type: 'rating', rating: 4 })
  const box = { kind: 'box', x: 500_000, y: 500_000, w: 500_000, h: 500_000, text: `${longName}?` }
  await guest.post(`/api/gallery/${event.slug}/photos/${first}/threads`, box)
  await guest.post(`/api/gallery/${event.slug}/notes`, { text: `${longName}.` })
  await createEvent(api, { event_name: 'Draft', is_draft: true })
  await createCustomer(admin, { name: longName })
  await invite(admin)
  const body = { name: longName, url: 'https://receiver.example/hook', events: ['photo.uploaded'] }
  const webhook = await admin.post('/api/admin/webhooks', body)
  expect(webhook.status).toBe(201)
  await admin.post(`/api/admin/webhooks/${webhook.body.id}/test`, {})
  await admin.post('/api/admin/api-tokens', { name: longName, scopes: ['read'] })
  return (path) => path.replace(':event', String(event.id)).replace(':webhook', String(webhook.body.id))
}
