import './photo-tile.css'
import { memo } from 'react'
import { formatPlayingTime } from '../../../../contract/gallery/gallery-tiles.ts'
import { translator } from '../../app/language.ts'
import { Icon } from '../../components/icon.tsx'
import { ColorDot } from '../marks/color-dot.tsx'
import { accessibleName } from '../model/photo-labels.ts'
import type { Photo } from '../model/photo-queries.ts'
import { PhotoPicture } from './photo-picture.tsx'

const t = translator('photos')

type Props = {
  eventId: number
  photo: Photo | null
  index: number
  column: number
  isSelected: boolean
  isCurrent: boolean
}

/** The grid handles all clicks and keys. `data-act` names the part of the tile that was clicked. */
export const PhotoTile = memo(({ eventId, photo, index, column, isSelected, isCurrent }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: a grid cell, not a table cell
  <div
    role="gridcell"
    className={['photo-tile', isSelected && 'selected', photo?.visibility === 'hidden' && 'hidden']
      .filter(Boolean)
      .join(' ')}
    aria-colindex={column + 1}
    aria-selected={isSelected}
    tabIndex={isCurrent ? 0 : -1}
    data-index={index}
    data-photo={photo?.id}
  >
    <span className="heard">{photo ? accessibleName(photo) : t('onItsWay')}</span>
    <div className="photo-ground">
      {photo && <PhotoPicture eventId={eventId} photo={photo} />}
      {photo && <State photo={photo} />}
      <span className="photo-check" data-act="check" aria-hidden="true">
        <Icon name="check" />
      </span>
      {photo && (
        <button type="button" className="photo-open" data-act="open" tabIndex={-1} aria-hidden="true" title={t('open')}>
          <Icon name="expand" />
        </button>
      )}
    </div>
    <div className="photo-line">
      <span className="photo-name" dir="auto" title={photo?.source_filename} aria-hidden="true">
        {photo?.source_filename}
      </span>
      {photo && (
        <button type="button" className="photo-more" data-act="menu" tabIndex={-1} aria-hidden="true" title={t('more')}>
          <Icon name="more" />
        </button>
      )}
    </div>
    <div className="photo-marks" aria-hidden="true">
      {photo && <Marks photo={photo} />}
    </div>
  </div>
))

const State = ({ photo }: { photo: Photo }) => (
  <span className="photo-states" aria-hidden="true">
    {photo.visibility === 'hidden' && (
      <span className="photo-state">
        <Icon name="hidden" />
        {t('hidden')}
      </span>
    )}
    {photo.processing_status === 'failed' && (
      <span className="photo-state alarm">
        <Icon name="warning" />
        {t('failed')}
      </span>
    )}
    {photo.processing_status === 'processing' && (
      <span className="photo-state">
        <Icon name="clock" />
        {t('processing')}
      </span>
    )}
    {photo.media_type === 'video' && photo.processing_status === 'ready' && (
      <span className="photo-state">
        <Icon name="play" isFilled />
        {formatPlayingTime(photo.duration)}
      </span>
    )}
  </span>
)

const Marks = ({ photo }: { photo: Photo }) => (
  <>
    {photo.my_color_label && <ColorDot color={photo.my_color_label} />}
    {photo.my_rating !== null && (
      <span className="photo-stars">
        {photo.my_rating}
        <Icon name="star" isFilled />
      </span>
    )}
    <span className="photo-given">
      {photo.favorite_count + photo.like_count > 0 && (
        <span>
          <Icon name="heart" isFilled />
          {Math.max(photo.favorite_count, photo.like_count)}
        </span>
      )}
      {photo.average_rating > 0 && (
        <span>
          <Icon name="star" isFilled />
          {photo.average_rating.toFixed(1).replace('.0', '')}
        </span>
      )}
      {photo.comment_count > 0 && (
        <span>
          <Icon name="comment" />
          {photo.comment_count}
        </span>
      )}
      {photo.dominant_color_label && <ColorDot color={photo.dominant_color_label} />}
    </span>
  </>
)
