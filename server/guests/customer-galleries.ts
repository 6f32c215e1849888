import type { CustomerGallery } from '../../contract/customers.ts'
import type { CustomerRow } from '../customers/customer-rows.ts'
import type { EventRow } from '../events/event-rows.ts'
import { isBeforeReveal } from '../gallery/viewing-rules.ts'
import { findCoverIds } from '../photos/cover-photos.ts'
import { isoTime, isoTimeOrNull } from '../platform/clock.ts'
import type { AppContext } from '../settings/app-context.ts'

export async function listCustomerGalleries(
  { db, clock }: AppContext,
  customer: CustomerRow,
  { page, limit }: { page: number; limit: number },
): Promise<{ events: CustomerGallery[]; total: number }> {
  const now = clock.now()
  const openGalleries = db
    .selectFrom('customer_events')
    .innerJoin('events', 'events.id', 'customer_events.event_id')
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

  const covers = await findCoverIds(
    db,
    rows.map(({ id }) => id),
  )
  const events = rows.map((event) => {
    const isHidden = isBeforeReveal(event, now)
    const preview = { photoCount: event.visible_count ?? 0, coverId: covers.get(event.id) ?? null }
    return customerGallery(event, isHidden, isHidden ? hiddenPreview : preview)
  })
  return { events, total: Number(total) }
}

type GalleryPreview = { photoCount: number; coverId: number | null }

/** What is visible before the reveal. */
const hiddenPreview: GalleryPreview = { photoCount: 0, coverId: null }

const customerGallery = (
  event: EventRow,
  isHidden: boolean,
  { photoCount, coverId }: GalleryPreview,
): CustomerGallery => ({
  id: event.id,
  slug: event.slug,
  event_name: event.event_name,
  event_type: event.event_type,
  event_date: event.event_date,
  expires_at: isoTime(event.expires_at),
  photo_count: photoCount,
  cover_photo_id: coverId,
  thumbnail_url: coverId === null ? null : `/api/gallery/${event.slug}/thumbnail/${coverId}`,
  allow_downloads: event.allow_downloads === 1,
  hidden_until_reveal: isHidden,
  reveal_at: isoTimeOrNull(event.reveal_at),
})
