import './photo-tile.css'
import { memo, type ReactNode } from 'react'
import { formatPlayingTime } from '../../../../contract/gallery/gallery-tiles.ts'
import { translator } from '../../app/language.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { ColorDot } from '../marks/color-dot.tsx'
import { accessibleName, guestOf } from '../model/photo-labels.ts'
import type { Photo } from '../model/photo-queries.ts'
import { type ReviewedPhoto, reviewLabel } from '../model/version-queries.ts'
import { PhotoPicture } from './photo-picture.tsx'

const t = translator('photos')

type Props = {
  eventId: number
  photo: Photo | null
  review: ReviewedPhoto | undefined
  index: number
  column: number
  isSelected: boolean
  isCurrent: boolean
  /** A photo that waits for a review has the buttons to end this. */
  canReview: boolean
  isCover: boolean
}

/** The grid handles all clicks and keys. `data-act` names the part of the tile that was clicked. */
export const PhotoTile = memo(({ eventId, photo, review, isCover, index, column, ...cell }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: a grid cell, not a table cell
  <div
    role="gridcell"
    className={['photo-tile', cell.isSelected && 'selected', isHiddenByOperator(photo) && 'hidden']
      .filter(Boolean)
      .join(' ')}
    aria-colindex={column + 1}
    aria-selected={cell.isSelected}
    tabIndex={cell.isCurrent ? 0 : -1}
    data-index={index}
    data-photo={photo?.id}
  >
    <span className="heard">
      {photo ? [accessibleName(photo, isCover), reviewLabel(review)].filter(Boolean).join(', ') : t('onItsWay')}
    </span>
    <div className="photo-ground">
      {photo && <PhotoPicture eventId={eventId} photo={photo} />}
      {photo && <State photo={photo} review={review} isCover={isCover} />}
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
    {cell.canReview && photo?.awaits_review ? (
      <ReviewButtons name={photo.source_filename} isCurrent={cell.isCurrent} />
    ) : (
      <div className="photo-marks" aria-hidden="true">
        {photo && <Marks photo={photo} />}
      </div>
    )}
  </div>
))

/** Photos that wait for a review are shown as they are, so that an operator can judge them. */
const isHiddenByOperator = (photo: Photo | null): boolean => photo?.visibility === 'hidden' && !photo.awaits_review

const reviewActions = [
  { act: 'visible', icon: 'eye', label: 'show', named: 'showNamed' },
  { act: 'hidden', icon: 'hidden', label: 'keepHidden', named: 'keepHiddenNamed' },
] as const

/** With the Tab key, the buttons follow their tile if it is the one in the tab order. */
const ReviewButtons = ({ name, isCurrent }: { name: string; isCurrent: boolean }) => (
  <div className="photo-review">
    {reviewActions.map(({ act, icon, label, named }) => (
      <button
        key={act}
        type="button"
        data-act={act}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={t(named, { name })}
        title={t(named, { name })}
      >
        <Icon name={icon} />
        <span>{t(label)}</span>
      </button>
    ))}
  </div>
)

const reviewIcons = {
  changes_wanted: 'edit',
  waiting: 'clock',
  approved: 'check',
  approved_with_changes: 'check',
} as const

type StateProps = Pick<Props, 'review' | 'isCover'> & { photo: Photo }

const State = ({ photo, review, isCover }: StateProps) => (
  <span className="photo-states" aria-hidden="true">
    {isCover && <StateLabel icon="photos">{t('cover')}</StateLabel>}
    {photo.awaits_review && (
      <StateLabel icon="person">
        <span className="photo-guest" dir="auto" title={t('review_waiting')}>
          {guestOf(photo)}
        </span>
      </StateLabel>
    )}
    {review && review.state !== 'unasked' && (
      <StateLabel icon={reviewIcons[review.state]} isAlarm={review.state === 'changes_wanted'}>
        {t(`mark_${review.state}`)}
      </StateLabel>
    )}
    {isHiddenByOperator(photo) && <StateLabel icon="hidden">{t('hidden')}</StateLabel>}
    {photo.processing_status === 'failed' && (
      <StateLabel icon="warning" isAlarm>
        {t('failed')}
      </StateLabel>
    )}
    {photo.processing_status === 'processing' && <StateLabel icon="clock">{t('processing')}</StateLabel>}
    {photo.media_type === 'video' && photo.processing_status === 'ready' && (
      <StateLabel icon="play">{formatPlayingTime(photo.duration)}</StateLabel>
    )}
  </span>
)

const StateLabel = ({
  icon,
  isAlarm = false,
  children,
}: {
  icon: IconName
  isAlarm?: boolean
  children: ReactNode
}) => (
  <span className={`photo-state${isAlarm ? ' alarm' : ''}`}>
    <Icon name={icon} isFilled={icon === 'play'} />
    {children}
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
      <Given icon="heart" isFilled value={Math.max(photo.favorite_count, photo.like_count)} />
      <Given icon="star" isFilled value={photo.average_rating} />
      <Given icon="comment" value={photo.comment_count} />
      {photo.dominant_color_label && <ColorDot color={photo.dominant_color_label} />}
    </span>
  </>
)

const Given = ({ icon, isFilled = false, value }: { icon: IconName; isFilled?: boolean; value: number }) =>
  value > 0 && (
    <span>
      <Icon name={icon} isFilled={isFilled} />
      {value.toFixed(1).replace('.0', '')}
    </span>
  )
