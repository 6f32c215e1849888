import type { ColorLabel } from '../../../../contract/marks.ts'
import { colorName } from '../../app/color-name.ts'
import { translator } from '../../app/language.ts'
import type { Photo } from './photo-queries.ts'

const t = translator('photos')

/** Returns the letter in a color dot, for color-blind users. */
export const colorLetter = (color: ColorLabel): string => t(`${color}Short`)

/** Returns who uploaded a photo of a guest. */
export const guestOf = ({ guest_name }: Photo): string =>
  guest_name === null ? t('fromSomebody') : t('fromGuest', { name: guest_name })

export const accessibleName = (photo: Photo, isCover = false): string =>
  [
    photo.source_filename,
    isCover && t('cover'),
    photo.media_type === 'video' && t('video'),
    photo.visibility === 'hidden' && t(photo.awaits_review ? 'review_waiting' : 'hidden'),
    photo.awaits_review && guestOf(photo),
    photo.processing_status === 'failed' && t('failed'),
    photo.processing_status === 'processing' && t('processing'),
    photo.my_rating !== null && t('ownStars', { count: photo.my_rating }),
    photo.my_color_label !== null && t('ownColor', { color: colorName(photo.my_color_label) }),
    photo.average_rating > 0 && t('guestStars', { average: photo.average_rating }),
    photo.favorite_count > 0 && t('pickedBy', { count: photo.favorite_count }),
    photo.like_count > 0 && t('likedBy', { count: photo.like_count }),
    photo.comment_count > 0 && t('commentsOf', { count: photo.comment_count }),
  ]
    .filter(Boolean)
    .join(', ')
