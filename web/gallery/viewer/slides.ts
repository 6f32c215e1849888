import type PhotoSwipe from 'photoswipe'
import type { SlideData } from 'photoswipe'
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
import { showPictures } from './picture-slide.ts'
import { showVideos } from './video-slide.ts'

/** What PhotoSwipe carries for us with each slide. */
export type ViewerSlide = SlideData & { tile: TilePhoto; type: 'image' | 'video' }

/** Of photos whose size nobody knows; tiles take the same format. */
const unknownSize = { width: 1500, height: 1000 }

/** Shows these photos in PhotoSwipe, each by its place among them; `photos` may answer others later on. */
export function showSlides(pswp: PhotoSwipe, photos: () => readonly TilePhoto[]): void {
  pswp.addFilter('numItems', () => photos().length)
  pswp.addFilter('itemData', (_, index) => slideOf(photos(), index))
  pswp.addFilter('thumbEl', (_, { tile }) => tilePicture(tile) as HTMLElement)
  // Thumbnails of neighbours as well: they are there at once, and stay where no larger picture comes.
  pswp.addFilter('placeholderSrc', (_, content) => content.data.msrc ?? false)
  showPictures(pswp)
  showVideos(pswp)
}

function slideOf(photos: readonly TilePhoto[], index: number): ViewerSlide {
  const tile = photos[index] ?? { id: 0, width: null, height: null }
  const photo = photoOf(tile.id).peek()
  // A video has no size for PhotoSwipe: it fills the window.
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
