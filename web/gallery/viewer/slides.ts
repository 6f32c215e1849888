import type PhotoSwipe from 'photoswipe'
import {
  picturePath,
  pictureSet,
  pictureWidths,
  type TilePhoto,
  thumbnailPath,
} from '../../../contract/gallery-tiles.ts'
import { tileLink } from '../grid/reveal-tile.ts'
import { nameOf } from '../grid/tile.tsx'
import { page } from '../state/page.ts'
import { photoOf } from '../state/photos.ts'
import { showPictures, type ViewerSlide } from './picture-slide.ts'
import { showVideos } from './video-slide.ts'

/** For photos of unknown size. Tiles use the same aspect ratio. */
const unknownSize = { width: 1500, height: 1000 }

/** `photos` may return another list later. */
export function showSlides(pswp: PhotoSwipe, photos: () => readonly TilePhoto[]): void {
  pswp.addFilter('numItems', () => photos().length)
  pswp.addFilter('itemData', (_, index) => slideOf(photos(), index))
  pswp.addFilter('thumbEl', (_, { tile }) => tilePicture(tile) as HTMLElement)
  // Show thumbnails of neighbors too. They are available at once, and stay if no larger picture loads.
  pswp.addFilter('placeholderSrc', (_, content) => content.data.msrc ?? false)
  showPictures(pswp)
  showVideos(pswp)
}

function slideOf(photos: readonly TilePhoto[], index: number): ViewerSlide {
  const tile = photos[index] ?? { id: 0, width: null, height: null }
  const photo = photoOf(tile.id).peek()
  // A video has no size for PhotoSwipe; it fills the window.
  if (photo?.media_type === 'video') return { tile, type: 'video' }
  const size = tile.width && tile.height ? { width: tile.width, height: tile.height } : unknownSize
  return {
    tile,
    type: 'image',
    ...size,
    src: picturePath(page, tile.id, 1280),
    srcset: pictureSet(page, tile, pictureWidths.at(-1) ?? 0),
    msrc: tilePicture(tile)?.currentSrc || thumbnailPath(page, tile.id),
    thumbCropped: true,
    alt: nameOf(photo, index + 1, photos.length),
  }
}

const tilePicture = ({ id }: TilePhoto): HTMLImageElement | null =>
  tileLink(id)?.querySelector<HTMLImageElement>('img:not(.hash)') ?? null
