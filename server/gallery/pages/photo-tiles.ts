import { rgbaToDataURL, thumbHashToRGBA } from 'thumbhash'
import { categoryName } from '../../../contract/category-names.ts'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { GalleryPageData } from '../../../contract/gallery/gallery-page.ts'
import {
  downloadPath,
  formatPlayingTime,
  inlinePlaceholderCount,
  maxTileWidth,
  pictureSrcset,
  ratioClass,
  thumbnailPath,
  tileRatio,
  tileSizes,
  viewerHref,
} from '../../../contract/gallery/gallery-tiles.ts'
import {
  findGroupStarts,
  groupHeadingId,
  isLongGroupName,
  type PhotoGroup,
} from '../../../contract/gallery/photo-groups.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { GalleryI18n } from './gallery-i18n.ts'

/** `number`: the position among all matching photos, from 1. */
export type Tile = { photo: GalleryPhoto; number: number }

export type GridContext = Pick<
  GalleryPageData,
  'slug' | 'viewer' | 'filtered' | 'asked' | 'has_small_tiles' | 'categories' | 'groups' | 'offset'
> & {
  i18n: GalleryI18n
  /** True if there is a picture above the grid, which must load first. */
  hasPictureAbove: boolean
}

/**
 * `web/gallery/grid/tile.tsx` and `group-heading.tsx` render the same markup. Some screen readers need `role` for lists
 * without bullets.
 */
export function photoGrid(gridContext: GridContext, tiles: Tile[]): Html | null {
  if (tiles.length === 0) return null
  const starts = new Map(
    findGroupStarts(gridContext.groups, gridContext.offset, tiles.length).map((group) => [group.index, group]),
  )
  const items = tiles.map((tile, index) => {
    const group = starts.get(index)
    return html`${group !== undefined && groupHeading(gridContext, group)}${photoTile(gridContext, tile)}`
  })
  return html`<ul class="grid${gridContext.filtered <= 3 && ' few'}" id="grid" role="list">${items}</ul>`
}

function groupHeading({ i18n, categories }: GridContext, group: PhotoGroup): Html {
  const category = categories.find(({ id }) => id === group.category_id)
  const name = category ? categoryName(i18n.t, category) : (group.name ?? i18n.t('otherPhotos'))
  return html`<li class="group${isLongGroupName(name) && ' long'}"><h2 id="${groupHeadingId(group)}" tabindex="-1"><bdi>${name}</bdi><span>${group.count}</span></h2></li>`
}

export const ratioStyle = (photos: GalleryPhoto[]): string =>
  [...new Set(photos.map(tileRatio))].map((ratio) => `.${ratioClass(ratio)}{--ratio:${ratio}}`).join('')

/** At most this many photos do not load lazily. */
const eagerCount = 6
/** At most this many photos have high priority; a phone shows no more at first. */
const highPriorityCount = 2

function photoTile(gridContext: GridContext, { photo, number }: Tile): Html {
  const { filtered: total, i18n } = gridContext
  const ratio = tileRatio(photo)
  const isVideo = photo.media_type === 'video'
  const isVideoWithStill = isVideo && hasPicture(photo)
  const name = i18n.t(isVideo ? 'video' : 'photo', { number, total })
  return html`<li class="tile ${ratioClass(ratio)}" aria-setsize="${total}" aria-posinset="${number}"><a class="photo${isVideoWithStill && ' video'}" href="${viewerHref(gridContext, gridContext.asked, photo.id)}" data-photo="${photo.id}">${
    number <= inlinePlaceholderCount &&
    photo.thumbhash !== null &&
    html`<img class="hash" src="${placeholderUrl(photo.thumbhash)}" alt="">`
  }${picture(gridContext, photo, { name, number })}${
    isVideoWithStill && html`<span class="length" aria-hidden="true">${formatPlayingTime(photo.duration)}</span>`
  }</a>${
    photo.allow_download &&
    html`<a class="download" href="${downloadPath(gridContext, photo.id)}" download aria-label="${i18n.t('download')}: ${name}"></a>`
  }</li>`
}

function picture(
  gridContext: GridContext,
  photo: GalleryPhoto,
  { name, number }: { name: string; number: number },
): Html {
  if (!hasPicture(photo)) return html`<span class="unseen">${name}<br><bdi>${photo.original_filename}</bdi></span>`
  const ratio = tileRatio(photo)
  const set = pictureSrcset(gridContext, photo, maxTileWidth(ratio))
  const isEager = number <= eagerCount && !gridContext.hasPictureAbove
  const isHighPriority = number <= highPriorityCount && !gridContext.hasPictureAbove
  const loading = html`${isHighPriority && html` fetchpriority="high"`}${!isEager && html` loading="lazy"`}`
  return html`<img src="${thumbnailPath(gridContext, photo.id)}" srcset="${set}" sizes="${tileSizes(ratio, gridContext.has_small_tiles)}" alt="${name}"${loading} decoding="async">`
}

/** The still image of a video and its thumbhash are created together. */
const hasPicture = ({ media_type, thumbhash }: GalleryPhoto): boolean => media_type === 'image' || thumbhash !== null

const placeholderEdgePx = 6

/** Returns a data URL of a few pixels, which the browser blends when it enlarges them. */
export function placeholderUrl(thumbhash: string): string {
  const { w, h, rgba } = thumbHashToRGBA(Buffer.from(thumbhash, 'base64'))
  const scale = placeholderEdgePx / Math.max(w, h)
  const width = Math.max(1, Math.round(w * scale))
  const height = Math.max(1, Math.round(h * scale))
  const pixels = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (Math.floor(((y + 0.5) * h) / height) * w + Math.floor(((x + 0.5) * w) / width)) * 4
      pixels.set(rgba.subarray(from, from + 4), (y * width + x) * 4)
    }
  }
  return rgbaToDataURL(width, height, pixels)
}
