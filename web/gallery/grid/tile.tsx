import '../../shared/color-dot.css'
import '../marks/marks.css'
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import {
  formatPlayingTime,
  inlinePlaceholderCount,
  ratioClass,
  type TilePhoto,
  tileRatio,
  viewerHref,
} from '../../../contract/gallery/gallery-tiles.ts'
import { thumbHashUrl } from '../../shared/thumb-hash-url.ts'
import { PickButton } from '../marks/mark-buttons.tsx'
import { Icon } from '../parts/icon.tsx'
import { page, t } from '../state/page.ts'
import { asked, getPhoto } from '../state/photos.ts'
import { selected } from '../state/selection.ts'
import { openPhoto } from '../state/shown-photo.ts'
import type { Place } from './justify.ts'
import { handleSelectEvent } from './select-tiles.ts'
import { TilePicture } from './tile-picture.tsx'

type Props = {
  tile: TilePhoto
  /** Index among all listed photos, from 0. */
  index: number
  total: number
  /** Null while CSS lays out the tiles. */
  place: Place | null
}

/** A badge of each tile, from a part that is loaded later. */
export const tileBadge = signal<ComponentType<{ photoId: number }> | null>(null)

/** One photo of the grid. The first markup of its link must match server/gallery/pages/photo-tiles.ts. */
export function Tile({ tile, index, total, place }: Props) {
  const photo = getPhoto(tile.id).value
  const ratio = tileRatio(tile)
  const Badge = tileBadge.value
  const isSelecting = selected.value !== null
  const isSelected = selected.value?.has(tile.id) ?? false
  const name = getPhotoLabel(photo, index + 1, total)
  const hasVideoStill = photo?.media_type === 'video' && photo.thumbhash !== null
  return (
    <li
      class={`tile ${ratioClass(ratio)}${isSelected ? ' selected' : ''}`}
      // The page has rules for the ratios of the photos that it was loaded with, not for those that come later.
      style={place ? toStyle(place) : { '--ratio': ratio }}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      <a
        class={`photo${hasVideoStill ? ' video' : ''}`}
        href={viewerHref(page, asked.value, tile.id)}
        data-photo={tile.id}
        {...(isSelecting && { role: 'checkbox', 'aria-checked': isSelected })}
        onClick={(event) => {
          if (isSelecting) return handleSelectEvent(event, tile.id)
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          openPhoto(tile.id)
        }}
        onKeyDown={(event) => {
          if (isSelecting && event.key === ' ') handleSelectEvent(event, tile.id)
        }}
      >
        {photo?.thumbhash && (place || index < inlinePlaceholderCount) && (
          <img class="hash" src={thumbHashUrl(photo.thumbhash)} alt="" />
        )}
        {hasPicture(photo) ? (
          <TilePicture tile={tile} name={name} />
        ) : (
          <span class="unseen">
            {name}
            <br />
            <bdi>{photo?.original_filename}</bdi>
          </span>
        )}
        {hasVideoStill && (
          <span class="length" aria-hidden="true">
            {formatPlayingTime(photo.duration)}
          </span>
        )}
      </a>
      {isSelecting ? (
        <span class="tick" aria-hidden="true">
          {isSelected && <Icon name="check" />}
        </span>
      ) : (
        photo && <PickButton photo={photo} name={name} />
      )}
      {photo && <MarkBadges photo={photo} />}
      {Badge && <Badge photoId={tile.id} />}
    </li>
  )
}

const toStyle = ({ left: insetInlineStart, ...others }: Place) =>
  Object.fromEntries(Object.entries({ insetInlineStart, ...others }).map(([name, pixels]) => [name, `${pixels}px`]))

export const getPhotoLabel = (photo: GalleryPhoto | null, number: number, total: number): string =>
  t(photo?.media_type === 'video' ? 'video' : 'photo', { number, total })

/** A video has a picture only if it has a thumbhash, because the service makes both together. */
const hasPicture = (photo: GalleryPhoto | null): boolean =>
  photo === null || photo.media_type === 'image' || photo.thumbhash !== null

/** A color label is shown with a letter, for guests who cannot distinguish colors. */
function MarkBadges({ photo }: { photo: GalleryPhoto }) {
  const { my_rating: rating, my_color_label: color, comment_count: comments } = photo
  if (!rating && !color && comments === 0) return null
  return (
    <p class="badges">
      {color && (
        <span class={`dot ${color}`} role="img" aria-label={t(color)}>
          {t(`${color}Short`)}
        </span>
      )}
      {rating && (
        <span class="badge" role="img" aria-label={t('stars', { count: rating })}>
          {rating}
          <Icon name="star" isFilled />
        </span>
      )}
      {comments > 0 && (
        <span class="badge" role="img" aria-label={`${t('comments')}: ${comments}`}>
          {comments}
          <Icon name="comment" />
        </span>
      )}
    </p>
  )
}
