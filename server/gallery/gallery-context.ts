import { type CustomerState, createCustomerState } from '../customers/customer-state.ts'
import { createGuestRowLimits, type GuestRowLimits } from '../feedback/guest-row-limits.ts'
import { ListCache } from '../photo-lists/list-cache.ts'
import type { Renditions } from '../renditions/renditions.ts'
import type { UploadsContext } from '../uploads/upload-gate.ts'
import { createGalleryCounts, type GalleryCounts } from './gallery-counts.ts'
import {
  createGalleryState,
  createMergedGuests,
  createThumbnailCache,
  type GalleryState,
  type MergedGuests,
  type ThumbnailCache,
} from './gallery-state.ts'
import { createOutlineCache, type OutlineCache } from './outline-cache.ts'

type PhotoCounts = { byCategory: Map<number, number>; videos: number }

export type GalleryContext = UploadsContext & {
  galleries: GalleryState
  mergedGuests: MergedGuests
  thumbnailCache: ThumbnailCache
  outlines: OutlineCache
  /** Photos by category id, and videos, for guests and for operators. */
  photoCounts: ListCache<PhotoCounts>
  counts: GalleryCounts
  customers: CustomerState
  guestRows: GuestRowLimits
  renditions: Renditions
}

export const createGalleryContext = (ctx: UploadsContext, renditions: Renditions): GalleryContext => ({
  ...ctx,
  renditions,
  galleries: createGalleryState(ctx),
  mergedGuests: createMergedGuests(ctx),
  thumbnailCache: createThumbnailCache(),
  outlines: createOutlineCache(),
  photoCounts: new ListCache({ maxBytes: 2 ** 20, sizeOf: ({ byCategory }) => 64 * (2 + byCategory.size) }),
  counts: createGalleryCounts(ctx),
  customers: createCustomerState(ctx),
  guestRows: createGuestRowLimits(ctx),
})
