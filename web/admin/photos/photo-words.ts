import type { ColorLabel } from '../../../contract/marks.ts'
import { sayIn } from '../desk/language.ts'
import type { Photo } from './photo-queries.ts'

const say = sayIn('photos')

const names = {
  red: () => say('red'),
  yellow: () => say('yellow'),
  green: () => say('green'),
  blue: () => say('blue'),
  purple: () => say('purple'),
} satisfies Record<ColorLabel, () => string>

export const colorWords = (color: ColorLabel): string => names[color]()

/** Returns the letter in a color dot, for color-blind users. */
export const colorLetter = (color: ColorLabel): string => say(`${color}Short`)

/** Returns the accessible name of a photo: file name, states and marks. */
export const heardName = (photo: Photo): string =>
  [
    photo.source_filename,
    photo.media_type === 'video' && say('video'),
    photo.visibility === 'hidden' && say('hidden'),
    photo.processing_status === 'failed' && say('failed'),
    photo.processing_status === 'processing' && say('processing'),
    photo.my_rating !== null && say('ownStars', { count: photo.my_rating }),
    photo.my_color_label !== null && say('ownColor', { color: colorWords(photo.my_color_label) }),
    photo.average_rating > 0 && say('guestStars', { average: photo.average_rating }),
    photo.favorite_count > 0 && say('pickedBy', { count: photo.favorite_count }),
    photo.like_count > 0 && say('likedBy', { count: photo.like_count }),
    photo.comment_count > 0 && say('commentsOf', { count: photo.comment_count }),
  ]
    .filter(Boolean)
    .join(', ')
