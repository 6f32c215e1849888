import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { translator } from '../app/language.ts'

const t = translator('parts')

type EventCounts = { photo_count: number; video_count: number }

/** Returns for example "12 photos and 1 video". */
export const formatPhotos = ({ photo_count, video_count }: EventCounts): string =>
  formatPhotoCount(t, photo_count, video_count)

/** For some photos of an event, where it is not known which of them are videos. */
export const formatSomePhotos = (count: number, event: EventCounts): string =>
  t(event.video_count > 0 ? 'files' : 'photos', { count })
