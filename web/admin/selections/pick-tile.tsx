import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { colorLabels } from '../../../contract/color-labels.ts'
import { thumbHashUrl } from '../../shared/thumb-hash-url.ts'
import { colorName } from '../app/color-name.ts'
import { translator } from '../app/language.ts'
import { formatList } from '../components/format-list.ts'
import { formatNumber } from '../components/format-time.ts'
import { Icon, type IconName } from '../components/icon.tsx'
import type { GuestNames } from '../feedback/guest-names.ts'
import type { PickedPhoto } from '../feedback/picks-query.ts'
import { ColorDot } from '../photos/marks/color-dot.tsx'
import { thumbnailUrl } from '../photos/model/photo-urls.ts'
import { Initials } from './initials.tsx'

const t = translator('feedback')
const maxInitials = 3

type Props = { eventId: number; photo: PickedPhoto; names: GuestNames }

export const PickTile = memo(({ eventId, photo, names }: Props) => (
  <Link
    className="pick-tile"
    to="/events/$eventId"
    params={{ eventId: String(eventId) }}
    search={{ photo: photo.id }}
    preload={false}
  >
    <span className="pick-picture">
      <img
        src={thumbnailUrl(eventId, photo)}
        alt=""
        loading="lazy"
        decoding="async"
        style={{
          ...fitSize(photo),
          ...(photo.thumbhash && { backgroundImage: `url(${thumbHashUrl(photo.thumbhash)})` }),
        }}
      />
    </span>
    <span className="pick-name" dir="auto">
      {photo.source_filename}
    </span>
    <span className="heard">{describeMarks(photo, names)}</span>
    <span className="pick-marks" aria-hidden="true">
      <span className="pick-guests">
        {photo.picked_by.slice(0, maxInitials).map((id) => (
          <Initials key={id} names={names} guestId={id} />
        ))}
        {photo.picked_by.length > maxInitials && <span>+{formatNumber(photo.picked_by.length - maxInitials)}</span>}
      </span>
      {photo.visibility === 'hidden' && (
        <span className="pick-mark">
          <Icon name="hidden" />
          {t('status_hidden')}
        </span>
      )}
      <Mark icon="star" isFilled value={Math.round(photo.average_rating * 10) / 10} />
      {countHearts(photo) !== photo.picked_by.length && <Mark icon="heart" isFilled value={countHearts(photo)} />}
      <Mark icon="comment" value={photo.comment_count} />
      {colorLabels
        .filter((color) => photo.color_labels[color])
        .map((color) => (
          <ColorDot key={color} color={color} />
        ))}
    </span>
  </Link>
))

const Mark = ({ icon, isFilled = false, value }: { icon: IconName; isFilled?: boolean; value: number }) =>
  value > 0 && (
    <span className="pick-mark">
      <Icon name={icon} isFilled={isFilled} />
      {formatNumber(value)}
    </span>
  )

/** The higher count, because a guest may both like and favorite a photo. */
const countHearts = ({ favorite_count, like_count }: PickedPhoto): number => Math.max(favorite_count, like_count)

/** Fits a photo of any aspect ratio into a 3:2 box. */
function fitSize({ width, height }: PickedPhoto) {
  const relativeRatio = (width ?? 3) / (height ?? 2) / 1.5
  return relativeRatio > 1
    ? { width: '100%', height: `${100 / relativeRatio}%` }
    : { width: `${100 * relativeRatio}%`, height: '100%' }
}

function describeMarks(photo: PickedPhoto, names: GuestNames): string {
  const colors = colorLabels.filter((color) => photo.color_labels[color])
  return [
    photo.visibility === 'hidden' && t('status_hidden'),
    t('heardPickedBy', { guests: formatList(photo.picked_by.map(names.of)) }),
    photo.average_rating > 0 && t('heardStars', { stars: formatNumber(photo.average_rating) }),
    colors.length > 0 && t('heardColors', { colors: formatList(colors.map(colorName)) }),
    photo.comment_count > 0 && t('heardComments', { count: photo.comment_count }),
  ]
    .filter(Boolean)
    .join(', ')
}
