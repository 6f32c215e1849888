import type { Decision } from '../../contract/gallery/decisions.ts'
import { sharePath } from '../../contract/share-path.ts'
import type { WebhookEventType } from '../../contract/webhooks.ts'
import { isoTime, minutes } from '../platform/time/clock.ts'

/** No event or photo has this id. */
const sampleId = 0

/** Returns made-up `data` with every key of the type. */
export function sampleData(type: WebhookEventType, now: number): object {
  const link = { slug: 'wedding-ana-and-ben-2026-06-20', share_token: 'sampleSampleSampleSample' }
  const event = {
    id: sampleId,
    slug: link.slug,
    event_name: 'Ana & Ben',
    event_type: 'wedding',
    event_date: '2026-06-20',
    share_url: `https://photos.example.com${sharePath(link)}`,
    share_token: link.share_token,
    customer_name: 'Ana Example',
    customer_email: 'ana@example.com',
    customer_phone: null,
  }
  const photo = {
    id: sampleId,
    filename: '1781949600000_0a1b2c3d.jpg',
    original_filename: 'IMG_0001.jpg',
    source_filename: 'IMG_0001.jpg',
    size_bytes: 4_194_304,
    width: 6000,
    height: 4000,
    category_id: null,
    replaced: false,
  }
  const guest = { id: '3f1c2a60-7d5e-4b8a-9c21-5e0d4f6a7b90', name: 'Zoë', email: 'zoe@example.com' }
  const furtherData: Partial<Record<WebhookEventType, object>> = {
    'event.created': { event: { ...event, is_draft: false } },
    'event.archived': { event: { ...event, archived_at: isoTime(now) } },
    'event.expired': { event: { ...event, expires_at: isoTime(now - minutes(1)) } },
    'event.completed': { event: { ...event, completed_at: isoTime(now) } },
    'photo.uploaded': { event, photo },
    'photo.deleted': { event, photo },
    'feedback.changed': { event, guest, feedback: sampleFeedback(now) },
    'photo.approved': { event, photo, decision: sampleDecision('approved', now), guest },
    'photo.changes_requested': { event, photo, decision: sampleDecision('changes_wanted', now), guest },
    'thread.created': {
      event,
      thread: { id: sampleId, kind: 'box', photo_id: sampleId, created_at: isoTime(now) },
      guest,
    },
    'selection.reopened': {
      event,
      round: {
        id: sampleId,
        number: 2,
        guest,
        message: 'Please choose 20 photos',
        included: 20,
        minimum: 20,
        maximum: 20,
        due_on: null,
      },
    },
    'selection.submitted': {
      event,
      selection: {
        id: sampleId,
        number: 1,
        guest,
        note: 'For the album',
        count: 1,
        photo_ids: [sampleId],
        round: 1,
        extra_count: 0,
        content_sha256: 'f'.repeat(64),
      },
    },
  }
  return furtherData[type] ?? { event }
}

const sampleFeedback = (now: number) => ({
  rating_count: 3,
  color_label_count: 0,
  like_count: 2,
  favorite_count: 1,
  comment_count: 1,
  first_changed_at: isoTime(now - minutes(2)),
  last_changed_at: isoTime(now - minutes(1)),
})

const sampleDecision = (decision: Decision, now: number) => ({
  version: 2,
  content_hash: 'e'.repeat(64),
  decision,
  decided_at: isoTime(now),
})
