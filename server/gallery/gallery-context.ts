import { type CustomerState, createCustomerState } from '../customers/customer-state.ts'
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

export type GalleryContext = UploadsContext & {
  galleries: GalleryState
  mergedGuests: MergedGuests
  thumbnailCache: ThumbnailCache
  outlines: OutlineCache
  /** Photos by category id, for guests and for operators. */
  categoryCounts: ListCache<Map<number, number>>
  counts: GalleryCounts
  customers: CustomerState
  renditions: Renditions
}

export const createGalleryContext = (ctx: UploadsContext, renditions: Renditions): GalleryContext => ({
  ...ctx,
  renditions,
  galleries: createGalleryState(ctx),
  mergedGuests: createMergedGuests(ctx),
  thumbnailCache: createThumbnailCache(),
  outlines: createOutlineCache(),
  categoryCounts: new ListCache({ maxBytes: 2 ** 20, sizeOf: ({ size }) => 64 * (1 + size) }),
  counts: createGalleryCounts(ctx),
  customers: createCustomerState(ctx),
})
