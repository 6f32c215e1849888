import { type CountedCategory, listCategories, listFilledCategories } from '../events/categories/categories.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { ListTotals } from '../photos/lists/list-cache.ts'
import { countPhotos, countVideos } from '../photos/lists/list-photos.ts'
import { hasFilter, type PhotoFilter } from '../photos/lists/photo-filters.ts'
import { countByCategory, type PhotoGroup } from '../photos/lists/photo-groups.ts'
import type { GalleryContext } from './gallery-context.ts'

type GalleryEvent = Pick<EventRow, 'id' | 'upload_category_id'>

/** The slug of the global category that each instance starts with, until it is renamed. */
const guestUploadsSlug = 'guest-uploads'

/** Whether the category is for photos of guests, which come after all others. */
const isOfGuests = (event: GalleryEvent, { id, event_id, slug }: CountedCategory): boolean =>
  id === event.upload_category_id || (event_id === null && slug === guestUploadsSlug)

/** Returns the categories that have photos, in order, those of guests last, and the number of videos. */
export async function loadContents(
  ctx: GalleryContext,
  event: GalleryEvent,
  totals: ListTotals,
  viewed: { onlyVisible: boolean },
): Promise<{ categories: CountedCategory[]; videoCount: number }> {
  const eventId = event.id
  const counts = await ctx.photoCounts.getOrLoad(totals, eventId, JSON.stringify(viewed), async () => {
    const categories = await listCategories(ctx, eventId, viewed)
    return {
      byCategory: new Map(categories.map(({ id, photo_count }) => [id, Number(photo_count)])),
      videos: await countVideos(ctx.db, eventId, viewed),
    }
  })
  const filled = await listFilledCategories(ctx, eventId, counts.byCategory)
  const { own = [], guests = [] } = Object.groupBy(filled, (one) => (isOfGuests(event, one) ? 'guests' : 'own'))
  return { categories: [...own, ...guests], videoCount: counts.videos }
}

/**
 * Returns the groups of a list by category, in the order of `categories`, without empty ones. The photos without a
 * category come before those in categories of guests. Returns null if the list is not grouped: it has a filter by
 * category, or no category has photos.
 */
export async function loadGroups(
  { db }: GalleryContext,
  event: GalleryEvent,
  filter: PhotoFilter,
  categories: readonly CountedCategory[],
): Promise<PhotoGroup[] | null> {
  if (filter.category !== undefined || categories.length === 0) return null
  if (hasFilter(filter)) {
    return toGroups(event, categories, await countByCategory(db, event.id, filter))
  }
  const { total } = await countPhotos(db, event.id, filter)
  const counts = new Map<number | null, number>(categories.map(({ id, photo_count }) => [id, photo_count]))
  const categorized = categories.reduce((sum, { photo_count }) => sum + photo_count, 0)
  return toGroups(event, categories, counts.set(null, total - categorized))
}

function toGroups(
  event: GalleryEvent,
  categories: readonly CountedCategory[],
  counts: ReadonlyMap<number | null, number>,
): PhotoGroup[] {
  const toGroup = ({ id, name }: { id: number | null; name: string | null }): PhotoGroup => ({
    category_id: id,
    name,
    count: counts.get(id) ?? 0,
  })
  const named = categories.filter((category) => !isOfGuests(event, category))
  const ofGuests = categories.filter((category) => isOfGuests(event, category))
  const groups = [...named, { id: null, name: null }, ...ofGuests].map(toGroup)
  return groups.filter(({ count }) => count > 0)
}
