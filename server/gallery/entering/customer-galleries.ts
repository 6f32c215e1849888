import type { CustomerGallery } from '../../../contract/customers.ts'
import type { CustomerRow } from '../../access/customers/customer-rows.ts'
import { type EventRow, presentEvents } from '../../events/event-rows.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import { findCoverIds } from '../../photos/cover-photos.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'

export async function listCustomerGalleries(
  { db, clock }: AppContext,
  customer: CustomerRow,
  { page, limit }: { page: number; limit: number },
): Promise<{ events: CustomerGallery[]; total: number }> {
  const now = clock.now()
  const openGalleries = db
    .selectFrom('customer_events')
    .innerJoin(presentEvents(db), 'events.id', 'customer_events.event_id')
    .where('customer_events.customer_id', '=', customer.id)
    .where('customer_events.withdrawn_at', 'is', null)
    .where('events.is_draft', '=', 0)
    .where('events.is_archived', '=', 0)
    .where('events.expires_at', '>', now)
  const { total } = await openGalleries.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await openGalleries
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .selectAll('events')
    .select('event_photo_totals.visible_count')
    .orderBy('events.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()

  const ids = rows.map(({ id }) => id)
  const covers = await findCoverIds(db, ids)
  const events = rows.map((event) => customerGallery(event, covers.get(event.id) ?? null, now))
  return { events, total: Number(total) }
}

function customerGallery(
  event: EventRow & { visible_count: number | null },
  coverId: number | null,
  now: number,
): CustomerGallery {
  // Before the reveal, the cover and the number of photos are not visible.
  const isHidden = isBeforeReveal(event, now)
  const shownCoverId = isHidden ? null : coverId
  return {
    id: event.id,
    slug: event.slug,
    event_name: event.event_name,
    event_type: event.event_type,
    event_date: event.event_date,
    expires_at: isoTime(event.expires_at),
    photo_count: isHidden ? 0 : (event.visible_count ?? 0),
    cover_photo_id: shownCoverId,
    thumbnail_url: shownCoverId === null ? null : `/api/gallery/${event.slug}/thumbnail/${shownCoverId}`,
    allow_downloads: event.allow_downloads === 1,
    hidden_until_reveal: isHidden,
    reveal_at: isoTimeOrNull(event.reveal_at),
  }
}
