import { type CustomerState, createCustomerState } from '../customers/customer-state.ts'
import type { Renditions } from '../photos/renditions.ts'
import type { UploadsHouse } from '../uploads/uploads-house.ts'
import { createGalleryCounts, type GalleryCounts } from './gallery-counts.ts'
import { createGalleryState, type GalleryState } from './gallery-state.ts'
import { createHotThumbnails, type HotThumbnails } from './hot-thumbnails.ts'
import { createMergedGuests, type MergedGuests } from './merged-guests.ts'

/** What the gallery's deeds are given: the house and what is remembered between requests. */
export type GalleryHouse = UploadsHouse & {
  galleries: GalleryState
  mergedGuests: MergedGuests
  hotThumbnails: HotThumbnails
  counts: GalleryCounts
  customers: CustomerState
  renditions: Renditions
}

export const withGalleries = (house: UploadsHouse, renditions: Renditions): GalleryHouse => ({
  ...house,
  renditions,
  galleries: createGalleryState(house),
  mergedGuests: createMergedGuests(house),
  hotThumbnails: createHotThumbnails(),
  counts: createGalleryCounts(house),
  customers: createCustomerState(house),
})
