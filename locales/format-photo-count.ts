import type { Translate } from './catalogs.ts'

type Key = 'photos' | 'videoCount' | 'photosAndVideos'

/** Returns for example "12 photos and 1 video". `count` includes the videos. `t` is of a module with these messages. */
export function formatPhotoCount(t: Translate<Key>, count: number, videoCount: number): string {
  if (videoCount === 0) return t('photos', { count })
  const videos = t('videoCount', { count: videoCount })
  if (videoCount >= count) return videos
  return t('photosAndVideos', { photos: t('photos', { count: count - videoCount }), videos })
}
