import type { House } from '../settings/house.ts'
import { createGalleryCounts, type GalleryCounts } from './gallery-counts.ts'
import { createGalleryState, type GalleryState } from './gallery-state.ts'
import { createHotThumbnails, type HotThumbnails } from './hot-thumbnails.ts'

/** What the gallery's deeds are given: the house and what is remembered between requests. */
export type GalleryHouse = House & { galleries: GalleryState; hotThumbnails: HotThumbnails; counts: GalleryCounts }

export const withGalleries = (house: House): GalleryHouse => ({
  ...house,
  galleries: createGalleryState(house),
  hotThumbnails: createHotThumbnails(),
  counts: createGalleryCounts(house),
})
