import type PhotoSwipe from 'photoswipe'
import {
  maxPictureWidth,
  picturePath,
  pictureSrcset,
  type TilePhoto,
  thumbnailPath,
} from '../../../contract/gallery/gallery-tiles.ts'
import { findTileLink } from '../grid/reveal-tile.ts'
import { getPhotoLabel } from '../grid/tile.tsx'
import { page } from '../state/page.ts'
import { getPhoto } from '../state/photos.ts'
import { showPictures, type ViewerSlide } from './picture-slide.ts'
import { showVideos } from './video-slide.ts'

/** For photos of unknown size. Tiles use the same aspect ratio. */
const unknownSize = { width: 1500, height: 1000 }

export type NewPicture = Omit<TilePhoto, 'id'> & { src: string; srcset: string }

/** Pictures that have come after the page was opened, by photo id. */
export const newPictures = new Map<number, NewPicture>()

/** Later calls of `photos` may return another list. */
export function showSlides(pswp: PhotoSwipe, photos: () => readonly TilePhoto[]): void {
  pswp.addFilter('numItems', () => photos().length)
  pswp.addFilter('itemData', (_, index) => createSlide(photos(), index))
  pswp.addFilter('thumbEl', (_, { tile }) => findTilePicture(tile) as HTMLElement)
  // By default PhotoSwipe uses `msrc` only for the first slide. Here every slide has its thumbnail as placeholder.
  pswp.addFilter('placeholderSrc', (_, content) => content.data.msrc ?? false)
  showPictures(pswp)
  showVideos(pswp)
}

function createSlide(photos: readonly TilePhoto[], index: number): ViewerSlide {
  const listed = photos[index] ?? { id: 0, width: null, height: null }
  const newer = newPictures.get(listed.id)
  const tile = newer ? { ...listed, width: newer.width, height: newer.height } : listed
  const photo = getPhoto(tile.id).peek()
  // A video slide needs no size, because it fills the window.
  if (photo?.media_type === 'video') return { tile, type: 'video' }
  const size = tile.width && tile.height ? { width: tile.width, height: tile.height } : unknownSize
  return {
    tile,
    type: 'image',
    ...size,
    src: newer?.src ?? picturePath(page, tile.id, 1280),
    srcset: newer?.srcset ?? pictureSrcset(page, tile, maxPictureWidth),
    msrc: findTilePicture(tile)?.currentSrc || thumbnailPath(page, tile.id),
    thumbCropped: true,
    alt: getPhotoLabel(photo, index + 1, photos.length),
  }
}

const findTilePicture = ({ id }: TilePhoto): HTMLImageElement | null =>
  findTileLink(id)?.querySelector<HTMLImageElement>('img:not(.hash)') ?? null
