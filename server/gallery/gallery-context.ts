import { type CustomerState, createCustomerState } from '../customers/customer-state.ts'
import type { Renditions } from '../renditions/renditions.ts'
import type { UploadsContext } from '../uploads/uploads-context.ts'
import { createGalleryCounts, type GalleryCounts } from './gallery-counts.ts'
import { createGalleryState, type GalleryState } from './gallery-state.ts'
import { createMergedGuests, type MergedGuests } from './merged-guests.ts'
import { createThumbnailCache, type ThumbnailCache } from './thumbnail-cache.ts'

export type GalleryContext = UploadsContext & {
  galleries: GalleryState
  mergedGuests: MergedGuests
  thumbnailCache: ThumbnailCache
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
  counts: createGalleryCounts(ctx),
  customers: createCustomerState(ctx),
})
